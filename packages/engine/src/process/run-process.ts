import { type ChildProcess, spawn } from "node:child_process";
import { ProcessGuard } from "./process-guard.ts";
import { endProcessTree, signalProcessTree } from "./process-tree.ts";

/** Receives what a process prints, and keeps a part of it. */
export interface OutputKeeper {
  add(chunk: Buffer): void;
}

export interface ProcessOptions {
  readonly cwd: string;
  /** All variables that it gets. Default: this process's. */
  readonly env?: Readonly<Record<string, string>>;
  /** Written to its standard input, which is closed then. */
  readonly input?: string;
  readonly timeoutMs: number;
  readonly stdout: OutputKeeper;
  readonly stderr: OutputKeeper;
  /** Registers a function that cancels the process; returns the function that removes it. */
  readonly onAbort?: (listener: () => void) => () => void;
}

/** How a process ended. Each way is a field of its own, never something to read out of a message. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** It printed so much that it was ended. */
  readonly flooded: boolean;
  /** It could not be started. */
  readonly startError?: NodeJS.ErrnoException;
}

/** A process that prints more bytes than this is ended. */
export const FLOOD_LIMIT = 64 * 1024 * 1024;

/**
 * A script that was written a moment ago may still be open for writing, in a process that is just being started and has a copy
 * of all open files of this one. The start is retried after these times.
 */
const BUSY_DELAYS_MS = [5, 10, 20, 40, 80, 160] as const;

/** How long to wait for output after the process has ended: a process that it started may keep the pipe open forever. */
const DRAIN_MS = 200;

/**
 * Runs a process, never through a shell, to its end, its timeout or its cancellation, whichever comes first, and never
 * throws. It has a group of its own, which is ended with it when its time is up, when it is cancelled, when a
 * process in it keeps the output open, and when this process exits. A process that ignores that is not awaited.
 */
export function runProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions,
): Promise<ProcessExit> {
  return new Promise((resolve) => new Running(command, args, options, resolve));
}

class Running {
  #child: ChildProcess | undefined;
  readonly #resolve: (exit: ProcessExit) => void;
  #timer: NodeJS.Timeout | undefined;
  #drainTimer: NodeJS.Timeout | undefined;
  #busyTimer: NodeJS.Timeout | undefined;
  #removeAbortListener: (() => void) | undefined;
  #unguard: (() => void) | undefined;
  #hasExited = false;
  #hasClosed = false;
  #printed = 0;
  #code: number | null = null;
  #endedBy: NodeJS.Signals | null = null;
  #settled = false;

  constructor(
    command: string,
    args: readonly string[],
    options: ProcessOptions,
    resolve: (exit: ProcessExit) => void,
  ) {
    const { timeoutMs, onAbort } = options;
    this.#resolve = resolve;
    // It may have ended in time, and this process was too busy to notice: what has arrived is read before an immediate.
    this.#timer = setTimeout(() => setImmediate(() => this.#timeOut()), timeoutMs);
    running.add(this);
    this.#removeAbortListener = onAbort?.(() => this.#end({ aborted: true }));
    // A caller that aborted already has its answer, and nothing is started.
    if (!this.#settled) this.#start(command, args, options, BUSY_DELAYS_MS);
  }

  #start(
    command: string,
    args: readonly string[],
    options: ProcessOptions,
    [delayMs, ...delays]: readonly number[],
  ): void {
    const { cwd, env, input = "", stdout, stderr } = options;
    guard?.expect();
    try {
      const detached = process.platform !== "win32";
      // Node copies this variable from its own environment into every other, unless it is there.
      const exact = env && { env: { NODE_V8_COVERAGE: undefined, ...env } };
      this.#child = spawn(command, args, { cwd, ...exact, detached, windowsHide: true });
    } catch (error) {
      guard?.expectNone();
      const startError = error as NodeJS.ErrnoException;
      if (startError.code === "ETXTBSY" && delayMs !== undefined) {
        this.#busyTimer = setTimeout(() => this.#start(command, args, options, delays), delayMs);
      } else {
        // For example a path with a NUL byte, which is refused before anything is started.
        this.#settle({ startError });
      }
      return;
    }
    this.#child.once("error", (startError) => this.#settle({ startError }));
    this.#child.once("exit", (code, endedBy) => {
      this.#hasExited = true;
      // One that was abandoned before may take time to end, and is guarded until then.
      if (this.#settled) this.#unguard?.();
      this.#code = code;
      this.#endedBy = endedBy;
      // When this process was busy for so long, the timer is due before what has arrived was read. An immediate is not.
      this.#drainTimer = setTimeout(() => setImmediate(() => this.#end({})), DRAIN_MS);
    });
    this.#child.once("close", () => {
      this.#hasClosed = true;
      this.#settle({});
    });
    this.#keep(this.#child.stdout, stdout);
    this.#keep(this.#child.stderr, stderr);
    // A process may end, or close its input, before it has read everything.
    this.#child.stdin?.on("error", () => undefined);
    this.#child.stdin?.end(input);
    // After its input: it runs meanwhile.
    if (this.#child.pid === undefined) guard?.expectNone();
    else this.#unguard = guard?.watch(this.#child.pid);
  }

  /** For the exit of this process, which leaves no time for SIGTERM. */
  kill(): void {
    if (this.#child?.pid !== undefined) signalProcessTree(this.#child.pid, "SIGKILL");
  }

  #keep(stream: NodeJS.ReadableStream | null, keeper: OutputKeeper): void {
    stream?.on("data", (chunk: Buffer) => {
      keeper.add(chunk);
      this.#printed += chunk.length;
      if (this.#printed > FLOOD_LIMIT) this.#end({ flooded: true });
    });
    // A broken pipe delivers nothing more.
    stream?.on("error", () => undefined);
  }

  #timeOut(): void {
    // After its end only its output is waited for, which has a limit of its own.
    if (!this.#hasExited) this.#end({ timedOut: true });
  }

  #end(why: Partial<ProcessExit>): void {
    if (this.#settled) return;
    if (this.#child?.pid !== undefined) endProcessTree(this.#child.pid);
    this.#settle(why);
  }

  #settle(why: Partial<ProcessExit>): void {
    if (this.#settled) return;
    this.#settled = true;
    running.delete(this);
    clearTimeout(this.#timer);
    clearTimeout(this.#drainTimer);
    clearTimeout(this.#busyTimer);
    this.#removeAbortListener?.();
    if (this.#hasExited) this.#unguard?.();
    if (!this.#hasClosed) this.#abandon();
    this.#resolve({
      code: this.#code,
      signal: this.#endedBy,
      timedOut: false,
      aborted: false,
      flooded: false,
      ...why,
    });
  }

  /** It, or a process that it started, may still run and print. */
  #abandon(): void {
    this.#child?.stdin?.destroy();
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
    this.#child?.unref();
  }
}

let guard: ProcessGuard | undefined;

/**
 * Ensures that everything that `runProcess` starts from now on is ended even if this process is killed. Not available on
 * Windows.
 */
export function guardProcesses(): void {
  if (process.platform !== "win32") guard ??= new ProcessGuard();
}

/** Signals of a terminal do not reach other groups, so the remaining ones are ended here. */
const running = new Set<Running>();
process.on("exit", () => {
  for (const each of running) each.kill();
});
