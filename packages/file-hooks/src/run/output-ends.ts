import type { OutputKeeper } from "@tenterhook/engine/process";
import { decodeAs, encodingOf } from "../answer/output-text.ts";
import type { Printed } from "../answer/read-output.ts";

const NOTHING: Printed = { text: "", isCut: false, isUtf16: false };

/** Keeps the first bytes of an output and the last: a hook's answer may come after much else. */
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

  /** The output as text. What was left out is marked by a line of its own. */
  get printed(): Printed {
    // Most guards print nothing when they let a call pass.
    if (this.#total === 0) return NOTHING;
    this.#shorten();
    const head = Buffer.concat(this.#head);
    const encoding = encodingOf(head);
    const isUtf16 = encoding !== "utf8";
    const omitted = this.#total - this.#headBytes - this.#tailBytes;
    const [tail = Buffer.alloc(0)] = this.#tail;
    if (omitted === 0)
      return { text: decodeAs(encoding, Buffer.concat([head, tail])), isCut: false, isUtf16 };
    // Both parts of a character, and then the next, begin at an even offset.
    const start = isUtf16 ? (this.#total - tail.length) & 1 : 0;
    const mark = `\n… (${omitted} bytes left out)\n`;
    const text = `${decodeAs(encoding, head)}${mark}${decodeAs(encoding, tail.subarray(start))}`;
    return { text, isCut: true, isUtf16 };
  }
}
