import { closeSync, openSync, readSync, statSync } from "node:fs";
import { setInterval } from "node:timers/promises";

/** The polling interval. A file watcher would not help: the file is rotated, and may not exist yet. */
const POLL_MS = 200;

/** Follows a file that is appended to, from the time of construction on, across rotations. */
export class Tail {
  readonly #path: string;
  #inode: number | undefined;
  #offset: number;
  #incomplete = Buffer.alloc(0);

  constructor(path: string) {
    this.#path = path;
    const stats = statSync(path, { throwIfNoEntry: false });
    this.#inode = stats?.ino;
    this.#offset = stats?.size ?? 0;
  }

  /** The number of bytes before the first line that is followed. */
  get offset(): number {
    return this.#offset;
  }

  /** The lines that are added, until the signal fires. */
  async *lines(signal: AbortSignal): AsyncGenerator<string> {
    try {
      for await (const _ of setInterval(POLL_MS, undefined, { signal })) yield* this.#more();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #more(): readonly string[] {
    const stats = statSync(this.#path, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    if (stats.ino === this.#inode && stats.size >= this.#offset)
      return this.#readFrom(this.#path, stats.size);
    // The file was rotated: its last lines are in `.1` now, then the new file follows.
    const rest = this.#rest();
    this.#inode = stats.ino;
    this.#offset = 0;
    this.#incomplete = Buffer.alloc(0);
    return [...rest, ...this.#readFrom(this.#path, stats.size)];
  }

  #rest(): readonly string[] {
    const old = statSync(`${this.#path}.1`, { throwIfNoEntry: false });
    return old === undefined || old.ino !== this.#inode ? [] : this.#readFrom(`${this.#path}.1`, old.size);
  }

  #readFrom(path: string, size: number): readonly string[] {
    if (size <= this.#offset) return [];
    const buffer = Buffer.alloc(size - this.#offset);
    const file = openSync(path, "r");
    let length: number;
    try {
      length = readSync(file, buffer, 0, buffer.length, this.#offset);
    } finally {
      closeSync(file);
    }
    this.#offset += length;
    const read = Buffer.concat([this.#incomplete, buffer.subarray(0, length)]);
    const end = read.lastIndexOf("\n") + 1;
    this.#incomplete = read.subarray(end);
    return read.toString("utf8", 0, end).split("\n").slice(0, -1);
  }
}
