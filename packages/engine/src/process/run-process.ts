import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { ProcessGuard } from "./process-guard.ts";

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
  const { cwd, env, input = "", timeoutMs, stdout, stderr, onAbort } = options;
  return new Promise((resolve) => {
    let child: ChildProcess | undefined;
    let exit: Pick<ProcessExit, "code" | "signal"> | undefined;
    let hasClosed = false;
    let isSettled = false;
    let printed = 0;
    let drainTimer: NodeJS.Timeout | undefined;
    let busyTimer: NodeJS.Timeout | undefined;
    let removeAbortListener: (() => void) | undefined;
    let unguard: (() => void) | undefined;
    let spareAtExit: (() => void) | undefined;

    // It may have ended in time, and this process was too busy to notice: what has arrived is read before an immediate. After its end
    // only its output is waited for, which has a limit of its own.
    const timeOut = () => exit === undefined && end({ timedOut: true });
    const timer = setTimeout(() => setImmediate(timeOut), timeoutMs);
    removeAbortListener = onAbort?.(() => end({ aborted: true }));
    // A caller that aborted already has its answer, and nothing is started.
    if (!isSettled) start(BUSY_DELAYS_MS);

    function start([delayMs, ...delays]: readonly number[]): void {
      guard?.expect();
      try {
        const detached = process.platform !== "win32";
        // Node copies this variable from its own environment into every other, unless it is there.
        const exact = env && { env: { NODE_V8_COVERAGE: undefined, ...env } };
        child = spawn(command, args, { cwd, ...exact, detached, windowsHide: true });
      } catch (error) {
        guard?.expectNone();
        const startError = error as NodeJS.ErrnoException;
        if (startError.code === "ETXTBSY" && delayMs !== undefined) {
          busyTimer = setTimeout(start, delayMs, delays);
        } else {
          // For example a path with a NUL byte, which is refused before anything is started.
          settle({ startError });
        }
        return;
      }
      child.once("error", (startError) => settle({ startError }));
      child.once("exit", (code, signal) => {
        exit = { code, signal };
        // One that was abandoned before may take time to end, and is guarded until then.
        if (isSettled) unguard?.();
        // When this process was busy for so long, the timer is due before what has arrived was read. An immediate is not.
        drainTimer = setTimeout(() => setImmediate(end, {}), DRAIN_MS);
      });
      child.once("close", () => {
        hasClosed = true;
        settle({});
      });
      keep(child.stdout, stdout);
      keep(child.stderr, stderr);
      // A process may end, or close its input, before it has read everything.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input);
      // After its input: it runs meanwhile.
      if (child.pid === undefined) {
        guard?.expectNone();
      } else {
        unguard = guard?.watch(child.pid);
        spareAtExit = killAtExit(child.pid);
      }
    }

    function keep(stream: NodeJS.ReadableStream | null, keeper: OutputKeeper): void {
      stream?.on("data", (chunk: Buffer) => {
        keeper.add(chunk);
        printed += chunk.length;
        if (printed > FLOOD_LIMIT) end({ flooded: true });
      });
      // A broken pipe delivers nothing more.
      stream?.on("error", () => undefined);
    }

    function end(why: Partial<ProcessExit>): void {
      if (isSettled) return;
      if (child?.pid !== undefined) endProcessTree(child.pid);
      settle(why);
    }

    function settle(why: Partial<ProcessExit>): void {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      clearTimeout(drainTimer);
      clearTimeout(busyTimer);
      removeAbortListener?.();
      spareAtExit?.();
      if (exit !== undefined) unguard?.();
      // It, or a process that it started, may still run and print.
      if (!hasClosed) {
        for (const pipe of [child?.stdin, child?.stdout, child?.stderr]) pipe?.destroy();
        child?.unref();
      }
      const ended = exit ?? { code: null, signal: null };
      resolve({ ...ended, timedOut: false, aborted: false, flooded: false, ...why });
    }
  });
}

let guard: ProcessGuard | undefined;

/**
 * Ensures that everything that `runProcess` starts from now on is ended even if this process is killed. Not available on
 * Windows.
 */
export function guardProcesses(): void {
  if (process.platform !== "win32") guard ??= new ProcessGuard();
}

/** The time between SIGTERM and SIGKILL. */
const GRACE_MS = 500;

/** Ends a process and everything in its group: by SIGTERM first, then by SIGKILL. */
function endProcessTree(pid: number): void {
  if (!signalProcessTree(pid, "SIGTERM")) return;
  // Keeps this process alive for that long, so that no process which ignores SIGTERM outlives it.
  setTimeout(() => signalProcessTree(pid, "SIGKILL"), GRACE_MS);
}

/**
 * Signals a process and everything in its group; false when none of them is left. Windows has neither groups nor SIGTERM: there
 * the process and its children are ended by any signal, and it is always false.
 */
export function signalProcessTree(pid: number, signal: NodeJS.Signals): boolean {
  if (process.platform === "win32") {
    const options = { stdio: "ignore", windowsHide: true } as const;
    spawn("taskkill", ["/pid", String(pid), "/T", "/F"], options).on("error", () => undefined);
    return false;
  }
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

const groups = new Set<number>();
process.on("exit", () => {
  for (const pid of groups) signalProcessTree(pid, "SIGKILL");
});

/**
 * Kills a process and everything in its group when this process exits, because signals of a terminal do not reach other groups. Returns
 * the function that stops watching it.
 */
export function killAtExit(pid: number): () => void {
  groups.add(pid);
  return () => groups.delete(pid);
}

/** Keeps the first bytes of an output and the last. */
export class OutputEnds implements OutputKeeper {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #total = 0;

  constructor(headLimit: number, tailLimit: number) {
    this.#headLimit = headLimit;
    this.#tailLimit = tailLimit;
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length;
    const room = Math.min(this.#headLimit - this.#headBytes, chunk.length);
    if (room > 0) {
      this.#head.push(chunk.subarray(0, room));
      this.#headBytes += room;
    }
    const rest = chunk.subarray(room);
    if (rest.length === 0 || this.#tailLimit === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    // Not for every chunk: copying the tail each time would take longer than reading the output.
    if (this.#tailBytes > 4 * this.#tailLimit) this.#shorten();
  }

  #shorten(): void {
    this.#tail = [Buffer.concat(this.#tail).subarray(-this.#tailLimit)];
    this.#tailBytes = this.#tail[0]?.length ?? 0;
  }

  /** How many bytes there were. */
  get total(): number {
    return this.#total;
  }

  get head(): Buffer {
    return Buffer.concat(this.#head);
  }

  /** What comes after the head: all of it, or its last bytes. */
  get tail(): Buffer {
    if (this.#tail.length > 1 || this.#tailBytes > this.#tailLimit) this.#shorten();
    return this.#tail[0] ?? Buffer.alloc(0);
  }

  /** Whether there was more than is kept. */
  get isCut(): boolean {
    return this.#total > this.#headBytes + this.tail.length;
  }

  /** The tail after a cut, which may have gone through a character: the remaining bytes of one begin with the bits 10. */
  get tailFromCharacter(): Buffer {
    const { tail } = this;
    const start = tail.findIndex((byte) => (byte & 0xc0) !== 0x80);
    return start < 0 ? tail.subarray(tail.length) : tail.subarray(start);
  }
}

/** Keeps the first bytes of an output. */
export class OutputHead extends OutputEnds {
  constructor(limit: number) {
    super(limit, 0);
  }

  /** As text; bytes that are not UTF-8 become replacement characters. */
  override toString(): string {
    return this.head.toString("utf8");
  }
}

/** Keeps the last bytes of an output, however much of it there is. */
export class OutputTail extends OutputEnds {
  constructor(limit: number) {
    super(0, limit);
  }

  /** As text, without colours, with a note when something came before. */
  override toString(): string {
    const tail = this.isCut ? this.tailFromCharacter : this.tail;
    const text = stripVTControlCharacters(tail.toString("utf8")).trim();
    const omitted = this.total - tail.length;
    return omitted === 0 ? text : `… (${omitted} bytes before this)\n${text}`;
  }
}
