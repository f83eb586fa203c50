import { closeSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { open, stat } from "node:fs/promises";

export interface LogFileOptions {
  readonly path: string;
  /** The file is rotated before it would grow beyond this. Default 10 MiB. */
  readonly maxBytes?: number | undefined;
  /** How many rotated files are kept. Default 3. */
  readonly keep?: number | undefined;
}

/** A file that is appended to, and rotated to `.1`, `.2`, … when it is full. */
export class LogFile {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #keep: number;
  /** A write failed, perhaps in the middle of a line. */
  #isTorn = false;

  constructor({ path, maxBytes = 10 * 1_048_576, keep = 3 }: LogFileOptions) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#keep = keep;
  }

  /** Appends lines in order. Throws what the file system throws; then some of them may be missing. */
  async append(lines: readonly string[]): Promise<void> {
    let size = await readSize(this.#path);
    let batch: string[] = [];
    let batched = 0;
    for (const line of lines) {
      const length = Buffer.byteLength(line);
      if (size + batched > 0 && size + batched + length > this.#maxBytes) {
        await this.#write(batch);
        rotateLog(this.#path, { room: length, maxBytes: this.#maxBytes, keep: this.#keep });
        batch = [];
        batched = 0;
        size = await readSize(this.#path);
      }
      batch.push(line);
      batched += length;
    }
    await this.#write(batch);
  }

  async #write(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    // Opened every time: the file may have been moved meanwhile, and nothing is left open at the end.
    const file = await open(this.#path, "a", 0o600);
    try {
      const { mode } = await file.stat();
      const isRegular = (mode & 0o170000) === 0o100000;
      // It may have existed before, readable by other users.
      if (isRegular && (mode & 0o077) !== 0) await file.chmod(0o600);
      const text = (this.#isTorn ? "\n" : "") + lines.join("");
      this.#isTorn = true;
      await file.appendFile(text);
      this.#isTorn = false;
    } finally {
      await file.close();
    }
  }
}

async function readSize(path: string): Promise<number> {
  const found = await stat(path).catch(unlessMissing);
  return found?.size ?? 0;
}

function unlessMissing(error: unknown): undefined {
  if ((error as { code?: unknown }).code !== "ENOENT") throw error;
}

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
