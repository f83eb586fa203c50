import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServedCoordinator, type ServeOptions, serveCoordinator } from "@tenterhook/coordinator";
import type { BlueprintInput } from "@tenterhook/protocol/runs";
import { Runner } from "@tenterhook/runner";
import { onTestFinished } from "vitest";

export interface RunView {
  readonly run_id: string;
  readonly session_id: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

/** A coordinator and its runners, with real agents that are small programs. */
export class Fleet {
  readonly folder: string;
  readonly served: ServedCoordinator;

  private constructor(folder: string, served: ServedCoordinator) {
    this.folder = folder;
    this.served = served;
  }

  static async start(options: Partial<ServeOptions> = {}): Promise<Fleet> {
    const folder = await mkdtemp(join(tmpdir(), "tenterhook-fleet-"));
    const served = await serveCoordinator({ folder: join(folder, "data"), port: 0, ...options });
    const fleet = new Fleet(folder, served);
    onTestFinished(async () => {
      await served.close();
      await rm(folder, { recursive: true, force: true });
    });
    return fleet;
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
    onTestFinished(() => runner.stop());
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
