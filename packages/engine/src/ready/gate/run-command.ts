import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { messageOf } from "@tenterhook/protocol";
import { OutputTail } from "./output-tail.ts";

export interface CommandRequest {
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  /** How many bytes of the output are kept, from its end. */
  readonly maxOutput: number;
  readonly signal: AbortSignal;
}

/** How a command ended. `code` is absent when a signal ended it, `timedOut` says that the signal was ours. */
export interface CommandEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly output: string;
}

/** Between asking the group to end and ending it. */
export const GRACE_MS = 1_000;

/** How long a command that has exited may still be writing, before somebody else must be holding its output. */
const DRAIN_MS = 250;

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Runs a command in a process group of its own. Throws when it cannot be started, and when it is cancelled. */
export function runCommand(request: CommandRequest): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    request.signal.throwIfAborted();
    const [program = "", ...args] = request.command;
    const cannotStart = (error: unknown): void =>
      reject(
        new Error(`"${program}" cannot be started in ${request.cwd}: ${messageOf(error)}`, { cause: error }),
      );
    let child: Child;
    try {
      child = spawn(program, args, {
        cwd: request.cwd,
        // A group of its own, so that ending it also ends what it started.
        detached: process.platform !== "win32",
        stdio: ["ignore", "pipe", "pipe"],
        windowsHide: true,
      });
    } catch (error) {
      cannotStart(error);
      return;
    }
    child.on("error", (error) => {
      // Also emitted when a signal could not be sent, and then there is an end to wait for.
      if (child.pid === undefined) cannotStart(error);
    });
    if (child.pid !== undefined) new Supervisor(child, child.pid, request).ended.then(resolve, reject);
  });
}

/** Watches over one command until it and its output are over. */
class Supervisor {
  readonly ended: Promise<CommandEnd>;
  readonly #child: Child;
  readonly #group: number;
  readonly #tail: OutputTail;
  readonly #timers: NodeJS.Timeout[] = [];
  #isEnding = false;

  constructor(child: Child, group: number, { timeoutMs, maxOutput, signal }: CommandRequest) {
    this.#child = child;
    this.#group = group;
    this.#tail = new OutputTail(maxOutput);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => this.#tail.add(chunk));
      stream.on("error", () => {});
    }
    let timedOut = false;
    const killGroup = (): void => this.#send("SIGKILL");
    const end = (): void => this.#end();
    this.#after(timeoutMs, () => {
      timedOut = true;
      end();
    });
    signal.addEventListener("abort", end, { once: true });
    // A group of its own does not hear what the terminal sends to ours.
    process.once("exit", killGroup);
    this.ended = this.#closed().then(() => {
      for (const timer of this.#timers) clearTimeout(timer);
      signal.removeEventListener("abort", end);
      process.removeListener("exit", killGroup);
      // Whoever ignored the polite request and let go of the output is still there.
      if (this.#isEnding) killGroup();
      signal.throwIfAborted();
      return { code: child.exitCode, signal: child.signalCode, timedOut, output: this.#tail.toString() };
    });
  }

  /** The command has exited and its output has ended, or is held by somebody it left behind. */
  #closed(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.once("close", () => resolve());
      this.#child.once("exit", () => {
        this.#after(DRAIN_MS, () => {
          this.#send("SIGKILL");
          // One that left the group as well keeps its end of the pipe; ours is closed.
          this.#child.stdout.destroy();
          this.#child.stderr.destroy();
          resolve();
        });
      });
    });
  }

  #end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#send("SIGTERM");
    this.#after(GRACE_MS, () => this.#send("SIGKILL"));
  }

  #send(signal: NodeJS.Signals): void {
    try {
      if (process.platform === "win32") this.#child.kill(signal);
      else process.kill(-this.#group, signal);
    } catch {
      // There is nobody left to tell.
    }
  }

  #after(ms: number, work: () => void): void {
    this.#timers.push(setTimeout(work, ms));
  }
}
