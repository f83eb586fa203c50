import { closeSync, openSync, renameSync, rmSync, statSync } from "node:fs";

/** A process that keeps the lock for longer was killed. */
const STALE_MS = 10_000;

/**
 * Moves a log file to `.1` and the older ones on, if it is still too long for so many bytes more. Several processes append to one
 * file; one of them moves it, and the others continue to append meanwhile.
 */
export function rotateLog(path: string, { room, maxBytes, keep }: RotateLogOptions): void {
  const lock = `${path}.lock`;
  if (!tryLock(lock)) return;
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size === 0 || size + room <= maxBytes) return;
    if (keep === 0) rmSync(path, { force: true });
    for (let number = keep; number > 0; number--) {
      const from = number === 1 ? path : `${path}.${number - 1}`;
      if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${path}.${number}`);
    }
  } finally {
    rmSync(lock, { force: true });
  }
}

/** When a log file is rotated, and how many are kept. */
export interface RotateLogOptions {
  /** How many bytes are to be appended. */
  readonly room: number;
  readonly maxBytes: number;
  /** How many files are kept beside it. */
  readonly keep: number;
}

function tryLock(lock: string): boolean {
  try {
    closeSync(openSync(lock, "wx", 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const locked = statSync(lock, { throwIfNoEntry: false });
    if (locked !== undefined && Date.now() - locked.mtimeMs > STALE_MS) rmSync(lock, { force: true });
    return false;
  }
}
