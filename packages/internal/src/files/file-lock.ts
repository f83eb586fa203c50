import { randomUUID } from "node:crypto";
import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { pause } from "@tenterhook/internal";
import { readPlainFile } from "./files.ts";

const LONGEST_WAIT_MS = 30_000;
/** An older lock is abandoned: no work under the lock takes as long. */
const STALE_MS = 60_000;
const RETRY_MS = 20;

/** Runs `work` while no other process has the lock. The lock of a process that was killed is ignored. */
export async function underLock<T>(
  path: string,
  work: () => T | Promise<T>,
  longestWaitMs = LONGEST_WAIT_MS,
): Promise<T> {
  const waiting = new Waiting(path, longestWaitMs);
  while (!waiting.tryLock()) await pause(RETRY_MS);
  try {
    return await work();
  } finally {
    waiting.unlock();
  }
}

/** The same for work that cannot wait for a promise: this thread stands still until the lock is free. */
export function underLockSync<T>(path: string, work: () => T, longestWaitMs = LONGEST_WAIT_MS): T {
  const waiting = new Waiting(path, longestWaitMs);
  while (!waiting.tryLock()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
  try {
    return work();
  } finally {
    waiting.unlock();
  }
}

class Waiting {
  readonly #path: string;
  readonly #begun = Date.now();
  readonly #longestMs: number;
  readonly #owner = `${process.pid} ${randomUUID()}`;

  constructor(path: string, longestMs: number) {
    this.#path = path;
    this.#longestMs = longestMs;
  }

  /** Throws when it has been tried for too long, and when no lock can be made there. */
  tryLock(): boolean {
    if (create(this.#path, this.#owner)) return true;
    if (isAbandoned(this.#path)) removeAbandoned(this.#path, this.#owner);
    if (Date.now() - this.#begun > this.#longestMs)
      throw new Error(`another process of tenterhook has locked ${this.#path}`);
    return false;
  }

  unlock(): void {
    // After a very long time another process may have taken it for abandoned.
    if (readOwner(this.#path) === this.#owner) rmSync(this.#path, { force: true });
  }
}

/** False when the file exists. */
function create(path: string, owner: string): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, "wx", 0o600);
    writeSync(file, owner);
    return true;
  } catch (error) {
    // On a full disk the file exists without its owner.
    if (file !== undefined) rmSync(path, { force: true });
    // The error of a write does not name the file.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw Object.assign(error as Error, { path });
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Removes the lock of a process that is gone. One process at a time does that, and looks again: otherwise the lock that is removed
 * may be one which another process has made since.
 */
function removeAbandoned(path: string, owner: string): void {
  const removal = `${path}.removal`;
  if (!create(removal, owner)) {
    if (isAbandoned(removal)) rmSync(removal, { force: true });
    return;
  }
  try {
    if (isAbandoned(path)) rmSync(path, { force: true });
  } finally {
    rmSync(removal, { force: true });
  }
}

function isAbandoned(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (Date.now() - stats.mtimeMs > STALE_MS) return true;
  const pid = Number(readOwner(path)?.split(" ")[0]);
  return pid > 0 && !isRunning(pid);
}

function readOwner(path: string): string | undefined {
  try {
    return readPlainFile(path);
  } catch {
    return undefined;
  }
}

/** Whether a process runs, of this user or another. One that was killed and whose parent has not asked for its exit code does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** A coding agent may never ask for the exit code of what it killed, so that the process exists as long as the agent. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
