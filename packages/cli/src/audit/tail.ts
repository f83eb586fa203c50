import { closeSync, openSync, readSync, statSync } from "node:fs";
import { setInterval } from "node:timers/promises";

/** How often the file is looked at. Watching it would be no better: it is set aside, and may not be there yet. */
const POLL_MS = 200;

/** The end of a file that is appended to: what comes from the moment it was made, across the file's being set aside. */
export class Tail {
  readonly #path: string;
  #inode: number | undefined;
  #offset: number;
  #unfinished = Buffer.alloc(0);

  constructor(path: string) {
    this.#path = path;
    const stats = statSync(path, { throwIfNoEntry: false });
    this.#inode = stats?.ino;
    this.#offset = stats?.size ?? 0;
  }

  /** How many bytes of the file are before it. */
  get offset(): number {
    return this.#offset;
  }

  /** The lines that are added, until the signal ends it. */
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
    if (stats.ino === this.#inode && stats.size >= this.#offset) return this.#readOn(this.#path, stats.size);
    // Set aside: its last lines are in `.1` now, then the new file begins.
    const rest = this.#rest();
    this.#inode = stats.ino;
    this.#offset = 0;
    this.#unfinished = Buffer.alloc(0);
    return [...rest, ...this.#readOn(this.#path, stats.size)];
  }

  #rest(): readonly string[] {
    const old = statSync(`${this.#path}.1`, { throwIfNoEntry: false });
    return old === undefined || old.ino !== this.#inode ? [] : this.#readOn(`${this.#path}.1`, old.size);
  }

  #readOn(path: string, size: number): readonly string[] {
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
    const read = Buffer.concat([this.#unfinished, buffer.subarray(0, length)]);
    const end = read.lastIndexOf("\n") + 1;
    this.#unfinished = read.subarray(end);
    return read.toString("utf8", 0, end).split("\n").slice(0, -1);
  }
}
