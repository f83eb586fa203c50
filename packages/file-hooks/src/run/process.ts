import { type ChildProcess, spawn } from "node:child_process";
import { CappedOutput } from "./capped-output.ts";
import { endProcessTree } from "./process-tree.ts";

export interface ProcessOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Written to its standard input. */
  readonly input: string;
  readonly timeoutMs: number;
  /** Registers what is called when the process is no longer wanted; returns the undo. */
  readonly onAbort?: (listener: () => void) => () => void;
}

/** How a hook's process ended. Each way is a field of its own, never something to read out of a message. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** There was more than is kept. */
  readonly stdoutCut: boolean;
  readonly stderrCut: boolean;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** It printed so much that it was ended. */
  readonly flooded: boolean;
  /** It could not be started. */
  readonly startError?: NodeJS.ErrnoException;
}

export const STDOUT_LIMIT = 1024 * 1024;
export const STDERR_LIMIT = 64 * 1024;

/** A process that prints more than this is not telling us anything. */
const FLOOD_LIMIT = 64 * 1024 * 1024;

/** How long to wait for output after the process has ended: a child of its own may hold the pipe for ever. */
const DRAIN_MS = 200;

/**
 * Runs a process to its end, its timeout or its cancellation, whichever comes first, and never throws. It does not wait
 * for a process that ignores its end, for one that will not read its input, or for pipes that others keep open.
 */
export function runProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions,
): Promise<ProcessExit> {
  return new Promise((resolve) => new Running(command, args, options, resolve));
}

class Running {
  readonly #child: ChildProcess;
  readonly #resolve: (exit: ProcessExit) => void;
  #undoAbort: (() => void) | undefined;
  readonly #stdout: CappedOutput | undefined;
  readonly #stderr: CappedOutput | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  #drainTimer: NodeJS.Timeout | undefined;
  #code: number | null = null;
  #endedBy: NodeJS.Signals | null = null;
  #settled = false;

  constructor(
    command: string,
    args: readonly string[],
    { cwd, env, input, timeoutMs, onAbort }: ProcessOptions,
    resolve: (exit: ProcessExit) => void,
  ) {
    this.#resolve = resolve;
    // Its own group, so that all it starts can be ended with it.
    this.#child = spawn(command, args, {
      cwd,
      env,
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    const { stdin, stdout, stderr } = this.#child;
    this.#child.once("error", (startError) => this.#settle({ startError }));
    if (stdin === null || stdout === null || stderr === null) return;
    this.#stdout = new CappedOutput(stdout, STDOUT_LIMIT, this.#checkFlood);
    this.#stderr = new CappedOutput(stderr, STDERR_LIMIT, this.#checkFlood);
    this.#child.once("exit", (code, endedBy) => {
      this.#code = code;
      this.#endedBy = endedBy;
      this.#drainTimer = setTimeout(() => this.#settle({}), DRAIN_MS);
    });
    this.#child.once("close", () => this.#settle({}));
    // A script that ends, or closes its input, before it has read everything: its right.
    stdin.on("error", () => undefined);
    stdin.end(input);
    this.#timer = setTimeout(() => this.#end({ timedOut: true }), timeoutMs);
    this.#undoAbort = onAbort?.(() => this.#end({ aborted: true }));
  }

  readonly #checkFlood = (): void => {
    if ((this.#stdout?.total ?? 0) + (this.#stderr?.total ?? 0) > FLOOD_LIMIT) this.#end({ flooded: true });
  };

  #end(why: Partial<ProcessExit>): void {
    if (this.#settled) return;
    if (this.#child.pid !== undefined) endProcessTree(this.#child.pid);
    this.#settle(why);
  }

  #settle(why: Partial<ProcessExit>): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#drainTimer);
    this.#undoAbort?.();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy();
    this.#child.unref();
    this.#resolve({
      code: this.#code,
      signal: this.#endedBy,
      stdout: this.#stdout?.text ?? "",
      stderr: this.#stderr?.text ?? "",
      stdoutCut: this.#stdout?.isCut ?? false,
      stderrCut: this.#stderr?.isCut ?? false,
      timedOut: false,
      aborted: false,
      flooded: false,
      ...why,
    });
  }
}
