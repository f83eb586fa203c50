import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServedCoordinator, type ServeOptions, serveCoordinator } from "@tenterhook/coordinator";
import type { BlueprintInput } from "@tenterhook/protocol/runs";
import { Runner } from "@tenterhook/runner";
import { freshPostgres, restartPort } from "@tenterhook/test-support";
import { onTestFinished } from "vitest";

export interface RunView {
  readonly run_id: string;
  readonly session_id: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

/** A coordinator and its runners in this process, with real agents that are small programs. */
export class LocalFleet {
  readonly folder: string;
  readonly #options: Partial<ServeOptions>;
  readonly #runners: Runner[] = [];
  #served: ServedCoordinator;

  private constructor(folder: string, options: Partial<ServeOptions>, served: ServedCoordinator) {
    this.folder = folder;
    this.#options = options;
    this.#served = served;
  }

  /** For one test: it is closed when that has ended. */
  static async start(options: Partial<ServeOptions> = {}): Promise<LocalFleet> {
    const fleet = await LocalFleet.open(options);
    onTestFinished(() => fleet.close());
    return fleet;
  }

  /** For several tests: the test that opens it closes it. With a PostgreSQL server, unless `url` is given. */
  static async open(wanted: Partial<ServeOptions> = {}): Promise<LocalFleet> {
    const url = "url" in wanted ? wanted.url : await freshPostgres();
    const folder = await mkdtemp(join(tmpdir(), "tenterhook-fleet-"));
    const options = { port: await restartPort(), url, ...wanted };
    const served = await serveCoordinator({ folder: join(folder, "data"), ...options });
    return new LocalFleet(folder, options, served);
  }

  get served(): ServedCoordinator {
    return this.#served;
  }

  /** Ends the coordinator, and after `meanwhile` starts it again at the same address with the same data. */
  async restart(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    await this.#served.close();
    await meanwhile();
    this.#served = await serveCoordinator({ folder: join(this.folder, "data"), ...this.#options });
  }

  async close(): Promise<void> {
    await Promise.all(this.#runners.map((runner) => runner.stop()));
    await this.#served.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  async runner(concurrency = 1): Promise<Runner> {
    const runner = new Runner({
      url: this.served.url,
      token: this.served.token,
      name: "test",
      concurrency,
      dataDir: join(this.folder, "runner"),
      pollSeconds: 2,
      log: () => undefined,
    });
    this.#runners.push(runner);
    await runner.start();
    return runner;
  }

  /** A procedural agent whose program is the body of a function of `input`. */
  async program(blueprint: Omit<BlueprintInput, "type" | "command">, body: string): Promise<void> {
    const file = join(this.folder, `${blueprint.name}.mjs`);
    await writeFile(
      file,
      `import { appendFileSync } from "node:fs";
       import { json } from "node:stream/consumers";
       const input = await json(process.stdin);
       const work = async () => { ${body} };
       process.stdout.write(JSON.stringify((await work()) ?? {}));`,
    );
    await this.put({ type: "procedural", command: [process.execPath, file], ...blueprint });
  }

  /** A procedural agent with the same result for every input. It starts quicker than one of `program`. */
  async answer(blueprint: Omit<BlueprintInput, "type" | "command">, result: object): Promise<void> {
    const file = join(this.folder, `${blueprint.name}.json`);
    await writeFile(file, JSON.stringify(result));
    await this.put({
      type: "procedural",
      command: ["sh", "-c", 'cat > /dev/null && cat "$0"', file],
      ...blueprint,
    });
  }

  async put(blueprint: BlueprintInput): Promise<void> {
    await this.demand("PUT", `/agents/${blueprint.name}`, blueprint);
  }

  async run(
    agent_name: string,
    parameters: Record<string, unknown> = {},
    more: object = {},
  ): Promise<RunView> {
    return this.demand<RunView>("POST", "/runs", { agent_name, parameters, execution_mode: "sync", ...more });
  }

  async ask(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const answer = await fetch(new URL(path, this.served.url), {
      method,
      headers: { authorization: `Bearer ${this.served.token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
  }

  async demand<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.ask(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  }
}
