import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { endGroup, endProgramsIn } from "./client-processes.ts";
import { FakeModel } from "./fake-model.ts";
import type { ClientLocation, LiveClient, Start } from "./live-client.ts";
import type { Step } from "./model-protocols.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/dist/bin/tenterhook.js", import.meta.url));
/** On a busy machine a client takes minutes to start. */
const LONGEST_MS = 300_000;
/** The last answer of the fake model. */
export const DONE = "all done";

export interface Session {
  readonly steps: readonly Step[];
  /** More arguments for the client. */
  readonly args?: readonly string[];
}

/** What a real client did. */
export interface Lived {
  readonly code: number | null;
  readonly output: string;
  /** Everything that the model which works on the task has received: not what was sent for a title or a classification. */
  readonly received: string;
}

/** A client's program, and the Node that runs it where it wants one of its own. */
export interface Program {
  readonly program: string;
  readonly node?: string;
}

/** A home and a project of their own for a real client, with hooks of the user. */
export class ClientSandbox {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "tenterhook-client-")));
  readonly home = join(this.root, "home");
  readonly project = join(this.root, "project");
  readonly #client: LiveClient;
  readonly #program: Program;
  readonly #model = new FakeModel();

  constructor(client: LiveClient, program: Program) {
    this.#client = client;
    this.#program = program;
    mkdirSync(this.home);
    mkdirSync(join(this.project, ".git"), { recursive: true });
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true, maxRetries: 5 }));
    onTestFinished(() => this.#model.close());
    onTestFinished(() => endProgramsIn(this.root));
  }

  /** Writes what the client needs to start, as its person would have it before Tenterhook is installed. */
  async configure(): Promise<void> {
    const at = await this.#location();
    const files = this.#client.files(at);
    for (const [path, text] of Object.entries(files)) this.#write(path, text);
    const prepared = this.#client.prepare?.(at);
    if (prepared !== undefined) await this.#toEnd(prepared);
  }

  /** Runs the built command in this home and project: `install`, `uninstall`. Returns what it has printed. */
  tenterhook(args: readonly string[], node = process.execPath): string {
    const { PATH = "" } = process.env;
    const env = { PATH, HOME: this.home, NO_COLOR: "1" };
    return execFileSync(node, [BIN, ...args], { cwd: this.project, env, encoding: "utf8" });
  }

  /** Installs as a person would. */
  async install(node?: string): Promise<void> {
    await this.configure();
    this.tenterhook(["install", this.#client.id, "--yes"], node);
  }

  /** A copy of Node in this home, as of a version manager that may remove it. */
  ownNode(): string {
    const path = join(this.root, "node");
    copyFileSync(process.execPath, path);
    return path;
  }

  /** Removes the copy of the bridge that the installed command starts. */
  removeBundle(): void {
    const folder = join(this.home, ".local", "share", "tenterhook-bridge");
    for (const name of readdirSync(folder))
      if (existsSync(join(folder, name, "bridge.js"))) rmSync(join(folder, name), { recursive: true });
  }

  /** The client's files that `install` writes into, by path. */
  clientFiles(): Readonly<Record<string, string | undefined>> {
    const read = (path: string) =>
      existsSync(join(this.home, path)) ? readFileSync(join(this.home, path), "utf8") : undefined;
    return Object.fromEntries(this.#client.installed.map((path) => [path, read(path)]));
  }

  /** Makes the client, and so the bridge, wait for so few seconds at every event. */
  shortenTimeout(seconds: number): void {
    const { installed, timeout } = this.#client;
    for (const path of installed) {
      const text = readFileSync(join(this.home, path), "utf8");
      const shortened = text
        .replaceAll(/(--timeout(?: |","))\d+/g, `$1${seconds}`)
        .replaceAll(/(TIMEOUT_MS = )\d+/g, `$1${seconds * 1_000}`)
        .replaceAll(/("timeout(?:Sec)?": |^timeout = )\d+/gm, `$1${timeout(seconds)}`);
      // It keeps its mode: some files are programs.
      writeFileSync(join(this.home, path), shortened);
    }
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
    const received = model.requests.length;
    const args = [...start.args, ...(session.args ?? [])];
    const ended = await this.#toEnd({ ...start, args });
    return { ...ended, received: model.receivedSince(received) };
  }

  async #toEnd({ args, env }: Start): Promise<Omit<Lived, "received">> {
    const child = this.#start([...this.#command, ...args], { TERM: "dumb", NO_COLOR: "1", ...env });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    // Some leave a process behind that keeps the streams open.
    const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
    return { code, output };
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

  async #prepare({ steps }: Session) {
    this.#model.play(steps);
    return { model: this.#model, start: this.#client.start(await this.#location()) };
  }

  async #location(): Promise<ClientLocation> {
    return { home: this.home, project: this.project, model: await this.#model.listen() };
  }

  get #command(): readonly string[] {
    const { program, node = process.execPath } = this.#program;
    return /\.m?js$/.test(program) ? [node, program] : [program];
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

const ESCAPE = "\u001b";
const TITLES = new RegExp(`${ESCAPE}\\][^\u0007]*\u0007`, "g");
const MOVEMENTS = new RegExp(`${ESCAPE}\\[[0-9;?>=]*[a-zA-Z]`, "g");

/** What a terminal would show, without colours and movements. */
function shown(output: string): string {
  return output.replaceAll(TITLES, "").replaceAll(MOVEMENTS, " ").replaceAll(/ +/g, " ");
}
