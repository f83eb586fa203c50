import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
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
/** What the fake model says last. */
export const DONE = "all done";

export interface Session {
  readonly steps: readonly Step[];
  /** How long the client waits for a hook, in seconds. */
  readonly timeoutSeconds?: number;
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

  /** Runs the client without a person, to its end. */
  async run(session: Session): Promise<Lived> {
    const { model, start } = await this.#prepare(session);
    const child = this.#start([...this.#command, ...start.args], {
      TERM: "dumb",
      NO_COLOR: "1",
      ...start.env,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    return { code, output, told: model.told };
  }

  /** Runs the client on a terminal, until it shows its question or says that it is done; then it is ended. Returns what it has shown. */
  async runOnTerminal(session: Session): Promise<string> {
    const { start } = await this.#prepare(session);
    const { args, question, keys } = this.#client.onTerminal;
    const line = [...this.#command, ...args].map((word) => `'${word}'`).join(" ");
    const script = ["script", "-qec", `stty cols 120 rows 40; exec ${line}`, "/dev/null"];
    const child = this.#start(script, { TERM: "xterm-256color", ...start.env });
    const left = new Map(Object.entries(keys));
    let output = "";
    return new Promise((resolve) => {
      const end = () => {
        endGroup(child.pid);
        resolve(shown(output));
      };
      child.once("close", end);
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        // Some ask the terminal where the cursor is, and wait for that.
        if (chunk.includes("\u001b[6n")) child.stdin.write("\u001b[1;1R");
        const text = shown(output);
        for (const [seen, typed] of left) if (text.includes(seen) && left.delete(seen)) type(child, typed);
        if (text.includes(question) || text.includes(DONE)) end();
      });
    });
  }

  async #prepare({ steps, timeoutSeconds = 20 }: Session) {
    const model = new FakeModel(steps);
    onTestFinished(() => model.close());
    const place = { home: this.home, project: this.project, model: await model.listen() };
    await this.#configure(timeoutSeconds);
    for (const [path, text] of Object.entries(this.#client.files(place))) this.#write(path, text);
    return { model, start: this.#client.start(place) };
  }

  get #command(): readonly string[] {
    return this.#program.endsWith(".js") ? [process.execPath, this.#program] : [this.#program];
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

  /** In a group of its own, because some clients start themselves anew. */
  #start([command = "", ...args]: readonly string[], more: Readonly<Record<string, string>>) {
    const { PATH = "", TENTERHOOK_RUN } = process.env;
    const env = {
      ...{ PATH, HOME: this.home, ...more },
      ...(TENTERHOOK_RUN !== undefined && { TENTERHOOK_RUN }),
    };
    const child = spawn(command, args, { cwd: this.project, env, detached: true });
    child.stdin.on("error", () => undefined);
    const timer = setTimeout(() => endGroup(child.pid), LONGEST_MS);
    child.once("close", () => clearTimeout(timer));
    onTestFinished(() => endGroup(child.pid));
    if (command !== "script") child.stdin.end();
    return child;
  }

  #write(path: string, text: string, mode = 0o644): void {
    const full = join(this.home, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text, { mode });
  }
}

/** Types one key after the other, as a person would: several at once count as pasted. */
function type({ stdin }: ChildProcessWithoutNullStreams, keys: string): void {
  for (const [at, key] of [...keys].entries()) setTimeout(() => stdin.write(key), 300 * (at + 1));
}

function endGroup(pid: number | undefined): void {
  try {
    process.kill(-(pid ?? Number.NaN), "SIGKILL");
  } catch {
    // It has ended.
  }
}

const ESCAPE = "\u001b";
const TITLES = new RegExp(`${ESCAPE}\\][^\u0007]*\u0007`, "g");
const MOVEMENTS = new RegExp(`${ESCAPE}\\[[0-9;?>=]*[a-zA-Z]`, "g");

/** What a terminal would show, without colours and movements. */
function shown(output: string): string {
  return output.replaceAll(TITLES, "").replaceAll(MOVEMENTS, " ").replaceAll(/ +/g, " ");
}
