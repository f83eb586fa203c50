import { stripVTControlCharacters } from "node:util";
import type { OutputKeeper } from "./run-process.ts";

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
