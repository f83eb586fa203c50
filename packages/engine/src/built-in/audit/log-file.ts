import { open, stat } from "node:fs/promises";
import { rotateLog } from "./rotate-log.ts";

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
