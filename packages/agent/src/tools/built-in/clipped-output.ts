import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";
import type { OutputKeeper } from "@tenterhook/engine/process";

/**
 * Keeps the start and the end of an output, half each: the start shows what a command did, the end how it went.
 */
export class ClippedOutput implements OutputKeeper {
  readonly #headRoom: number;
  readonly #tailRoom: number;
  readonly #head: Buffer[] = [];
  readonly #tail: Buffer[] = [];
  #headSize = 0;
  #tailSize = 0;
  #total = 0;

  /** `limit` is in bytes. */
  constructor(limit: number) {
    this.#headRoom = Math.ceil(limit / 2);
    this.#tailRoom = limit - this.#headRoom;
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length;
    const first = chunk.subarray(0, this.#headRoom - this.#headSize);
    if (first.length > 0) this.#head.push(first);
    this.#headSize += first.length;
    const rest = chunk.subarray(first.length);
    if (rest.length > 0) this.#tail.push(rest);
    this.#tailSize += rest.length;
    for (let old = this.#tail[0]; old !== undefined && this.#tailSize - old.length >= this.#tailRoom; ) {
      this.#tail.shift();
      this.#tailSize -= old.length;
      old = this.#tail[0];
    }
  }

  /** As text, without colours, with a note where bytes were dropped. */
  toString(): string {
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    if (this.#total <= this.#headRoom + this.#tailRoom)
      return stripVTControlCharacters(Buffer.concat([head, tail]).toString("utf8"));
    let start = Math.max(0, tail.length - this.#tailRoom);
    // A cut may have split a character: the decoder withholds incomplete bytes, and continuation bytes start with 10.
    while (start < tail.length && ((tail[start] ?? 0) & 0xc0) === 0x80) start++;
    const omitted = this.#total - head.length - (tail.length - start);
    const beginning = stripVTControlCharacters(new StringDecoder("utf8").write(head));
    const end = stripVTControlCharacters(tail.toString("utf8", start));
    return `${beginning}\n… (${omitted} bytes left out here) …\n${end}`;
  }
}
