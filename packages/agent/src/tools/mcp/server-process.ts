import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { OutputTail, signalProcessTree } from "@tenterhook/engine/process";
import { completesWithin } from "@tenterhook/internal";

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** How long a server has to exit after its input was closed, and again after SIGTERM. */
const GRACE_MS = 1_000;

/** How long to wait for output after the exit: a remaining child may keep the pipe open forever. */
const DRAIN_MS = 200;

/** Enough for a stack trace, and short enough for an error message. */
const MAX_STDERR_BYTES = 2_000;

/**
 * The process of an MCP server, started without a shell. It has its own process group, because `npx` and similar programs start the
 * server as a child: the rest of the group is killed when the process ends, and when this process exits.
 */
export class ServerProcess {
  /** Resolves when it runs; rejects if it could not be started. */
  readonly started: Promise<void>;
  /** Resolves when it has ended and its output was read. Never rejects. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #stderr = new OutputTail(MAX_STDERR_BYTES);
  #how: string | undefined;
  #ending: Promise<void> | undefined;

  /** Throws the synchronous errors of `spawn`, for example for a NUL byte in an argument. */
  constructor({ command, args, env, cwd }: ServerCommand, onOutput: (chunk: Buffer) => void) {
    const detached = process.platform !== "win32";
    this.#child = spawn(command, args, { cwd, env, detached, stdio: "pipe", windowsHide: true });
    this.started = new Promise((resolve, reject) => {
      this.#child.once("spawn", resolve).once("error", reject);
    });
    this.started.catch(() => undefined);
    this.ended = this.#watch(cwd);
    // Without free file descriptors there are no pipes; the error event follows.
    this.#child.stdout?.on("data", onOutput);
    this.#child.stderr?.on("data", (chunk: Buffer) => this.#stderr.add(chunk));
    // Errors of a broken pipe are ignored: the exit of the process is reported.
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

  /** Rejects if the process no longer accepts input. */
  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const { stdin } = this.#child;
      if (stdin === null) return reject(new Error("it has no input"));
      stdin.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends it: closes its input, then SIGTERM, then SIGKILL. Resolves when it has ended; it may be called more than once. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  /** Kills its process group. */
  kill(): void {
    this.#signal("SIGKILL");
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#child.pid !== undefined) signalProcessTree(this.#child.pid, signal);
  }

  async #end(): Promise<void> {
    this.#child.stdin?.end();
    if (await completesWithin(GRACE_MS, this.ended)) return;
    this.#signal("SIGTERM");
    if (await completesWithin(GRACE_MS, this.ended)) return;
    this.kill();
    await this.ended;
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
        // ENOENT names the command even if the folder does not exist.
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

/** Signals of the terminal do not reach the groups of servers, so remaining servers are killed on exit. */
const running = new Set<ServerProcess>();
process.on("exit", () => {
  for (const each of running) each.kill();
});
