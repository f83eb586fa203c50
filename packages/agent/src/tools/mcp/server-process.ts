import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { OutputTail } from "@tenterhook/engine/process";

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** How long a server has to go by itself once its input is closed, and then once more after SIGTERM. */
const GRACE_MS = 1_000;

/** How long to wait for output after the process has ended: somebody it left behind may hold the pipe for ever. */
const DRAIN_MS = 200;

/** Enough for a stack trace, little enough for an error message. */
const MAX_STDERR_BYTES = 2_000;

/**
 * The process of an MCP server, never run through a shell. It has a group of its own, because `npx` and its like start the
 * real server as a child: whatever is left of the group is ended when the process ends, and when ours exits.
 */
export class ServerProcess {
  /** Settles when it runs, or could not be started. */
  readonly started: Promise<void>;
  /** Resolves when it is gone and everything it said was read. Never rejects. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #stderr = new OutputTail(MAX_STDERR_BYTES);
  #how: string | undefined;
  #ending: Promise<void> | undefined;

  /** Throws what `spawn` throws at once, for a NUL byte in an argument say. */
  constructor({ command, args, env, cwd }: ServerCommand, onOutput: (chunk: Buffer) => void) {
    const detached = process.platform !== "win32";
    this.#child = spawn(command, args, { cwd, env, detached, stdio: "pipe", windowsHide: true });
    this.started = new Promise((resolve, reject) => {
      this.#child.once("spawn", resolve).once("error", reject);
    });
    this.started.catch(() => undefined);
    this.ended = this.#watch(cwd);
    // Where the system has no descriptor left there are no pipes; the error that says so comes later.
    this.#child.stdout?.on("data", onOutput);
    this.#child.stderr?.on("data", (chunk: Buffer) => this.#stderr.add(chunk));
    // A pipe that breaks has said all it will say; the end of the process tells the rest.
    for (const pipe of this.#pipes()) pipe?.on("error", () => undefined);
    running.add(this);
  }

  /** How it ended; `undefined` while it runs. */
  get exitDescription(): string | undefined {
    return this.#how;
  }

  /** The last lines that it wrote to stderr. */
  get stderrTail(): string {
    return String(this.#stderr);
  }

  /** Rejects when the process does not take input any more. */
  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const { stdin } = this.#child;
      if (stdin === null) return reject(new Error("it has no input"));
      stdin.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends it: closes its input, asks, and then makes it. Resolves when it is gone; any number of calls is one. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  /** Ends it and everybody in its group, now. */
  kill(): void {
    signalGroup(this.#child.pid, "SIGKILL");
  }

  async #end(): Promise<void> {
    this.#child.stdin?.end();
    if (await this.#endsWithin(GRACE_MS)) return;
    signalGroup(this.#child.pid, "SIGTERM");
    if (await this.#endsWithin(GRACE_MS)) return;
    this.kill();
    await this.ended;
  }

  #endsWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      void this.ended.then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  #pipes() {
    const { stdin, stdout, stderr } = this.#child;
    return [stdin, stdout, stderr];
  }

  #watch(cwd: string): Promise<void> {
    return new Promise((resolve) => {
      const settle = (how: string) => {
        this.#how ??= how;
        running.delete(this);
        for (const pipe of this.#pipes()) pipe?.destroy();
        resolve();
      };
      this.#child.once("error", ({ message }) => {
        // ENOENT names the command also when it is the folder that does not exist.
        settle(`could not be started: ${existsSync(cwd) ? message : `there is no folder ${cwd}`}`);
      });
      this.#child.once("exit", (code, signal) => {
        this.#how = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
        this.kill();
        const timer = setTimeout(settle, DRAIN_MS, this.#how);
        this.#child.once("close", () => {
          clearTimeout(timer);
          settle("ended");
        });
      });
    });
  }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    // There are no groups and nothing to ask politely with; /T takes the children too.
    const options = { stdio: "ignore", windowsHide: true } as const;
    spawn("taskkill", ["/pid", String(pid), "/T", "/F"], options).on("error", () => undefined);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}

/** A group of its own does not hear what a terminal sends to ours, so those that are left are ended by us. */
const running = new Set<ServerProcess>();
process.on("exit", () => {
  for (const each of running) each.kill();
});
