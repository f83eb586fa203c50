import { stripVTControlCharacters } from "node:util";
import type { OutputKeeper } from "./run-process.ts";

/** Keeps the last bytes of an output, however much of it there is. */
export class OutputTail implements OutputKeeper {
  readonly #most: number;
  readonly #chunks: Buffer[] = [];
  #kept = 0;
  #total = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#kept += chunk.length;
    this.#total += chunk.length;
    for (let first = this.#chunks[0]; first !== undefined && this.#kept - first.length >= this.#most; ) {
      this.#chunks.shift();
      this.#kept -= first.length;
      first = this.#chunks[0];
    }
  }

  /** As text, without colours, with a note when something came before. */
  toString(): string {
    const all = Buffer.concat(this.#chunks);
    let start = Math.max(0, all.length - this.#most);
    // The cut may have gone through a character; its remaining bytes begin with the bits 10.
    while (start > 0 && start < all.length && ((all[start] ?? 0) & 0xc0) === 0x80) start++;
    const omitted = this.#total - (all.length - start);
    const text = stripVTControlCharacters(all.toString("utf8", start)).trim();
    return omitted === 0 ? text : `… (${omitted} bytes before this)\n${text}`;
  }
}
