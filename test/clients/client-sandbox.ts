import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadClient } from "@tenterhook/bridges/clients";
import { onTestFinished } from "vitest";
import { FakeModel } from "./fake-model.ts";
import type { LiveClient } from "./live-client.ts";
import type { Step } from "./model-protocols.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/dist/bin/tenterhook.js", import.meta.url));
const LONGEST_MS = 60_000;

export interface Session {
  readonly steps: readonly Step[];
  /** How long the client waits for a hook, in seconds. */
  readonly timeoutSeconds?: number;
  readonly asks?: boolean;
}

/** What a real client did. */
export interface Lived {
  readonly code: number | null;
  readonly output: string;
  /** Everything that the model was told. */
  readonly told: string;
}

/** A home and a project of their own for a real client, with hooks of the user. */
export class ClientSandbox {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "tenterhook-client-")));
  readonly home = join(this.root, "home");
  readonly project = join(this.root, "project");
  readonly #client: LiveClient;
  readonly #program: string;

  constructor(client: LiveClient, program: string) {
    this.#client = client;
    this.#program = program;
    mkdirSync(this.home);
    mkdirSync(join(this.project, ".git"), { recursive: true });
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true, maxRetries: 5 }));
  }

  hook(name: string, trigger: string, fields: readonly string[], script?: string): void {
    const folder = join(".config", "agents", "hooks", name);
    const head = [`name: ${name}`, `description: about ${name}`, `trigger: ${trigger}`, ...fields];
    this.#write(join(folder, "HOOK.md"), `---\n${head.join("\n")}\n---\n`);
    if (script !== undefined) this.#write(join(folder, "scripts", "run.sh"), `#!/bin/sh\n${script}\n`, 0o755);
  }

  /** The path of a file in the project. */
  file(name: string): string {
    return join(this.project, name);
  }

  has(name: string): boolean {
    return existsSync(this.file(name));
  }

  /** What was decided, as `tenterhook log` has it. */
  get decisions(): readonly Readonly<Record<string, unknown>>[] {
    const path = join(this.home, ".local", "state", "tenterhook", "audit.jsonl");
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  }

  async run({ steps, timeoutSeconds = 20, asks = false }: Session): Promise<Lived> {
    const model = new FakeModel(steps);
    onTestFinished(() => model.close());
    const place = { home: this.home, project: this.project, model: await model.listen() };
    await this.#configure(timeoutSeconds);
    for (const [path, text] of Object.entries(this.#client.files(place))) this.#write(path, text);
    const { args, env } = this.#client.start(place, asks);
    const { code, output } = await this.#start(args, env);
    return { code, output, told: model.told };
  }

  /** Writes the client's hooks: every event of it that means one of ours calls the bridge. */
  async #configure(timeoutSeconds: number): Promise<void> {
    const { id, hooksFile, settings, timeout } = this.#client;
    const client = await loadClient(id);
    const events = Object.entries(client?.events ?? {}).filter(
      ([, { events: ours, isInstalled = true }]) => isInstalled && ours.length > 0,
    );
    const hooks = events.map(([event, { matcher }]) => {
      const options = `--client ${id} --event ${event} --timeout ${timeoutSeconds}`;
      const command = `'${process.execPath}' '${BIN}' bridge ${options}`;
      const entry = { type: "command", command, timeout: timeout(timeoutSeconds) };
      return [event, [{ ...(matcher !== undefined && { matcher }), hooks: [entry] }]] as const;
    });
    this.#write(hooksFile, JSON.stringify({ ...settings, hooks: Object.fromEntries(hooks) }, undefined, 2));
  }

  #start(
    args: readonly string[],
    more: Readonly<Record<string, string>>,
  ): Promise<{ readonly code: number | null; readonly output: string }> {
    const { PATH = "", TENTERHOOK_RUN } = process.env;
    const env = {
      ...{ PATH, HOME: this.home, TERM: "dumb", NO_COLOR: "1", ...more },
      ...(TENTERHOOK_RUN !== undefined && { TENTERHOOK_RUN }),
    };
    const isScript = this.#program.endsWith(".js");
    const [command = "", ...first] = isScript ? [process.execPath, this.#program] : [this.#program];
    const child = spawn(command, [...first, ...args], {
      cwd: this.project,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    // The whole group: some clients start themselves anew.
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), LONGEST_MS);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => {
        clearTimeout(timer);
        resolve({ code, output });
      });
    });
  }

  #write(path: string, text: string, mode = 0o644): void {
    const full = join(this.home, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text, { mode });
  }
}
