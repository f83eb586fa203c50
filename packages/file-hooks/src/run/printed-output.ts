import { isUtf8 } from "node:buffer";
import { OutputEnds } from "@tenterhook/engine/process";
import { AnswerSearch } from "../answer/answer-search.ts";
import { decodeAs, encodingOf, otherReadings } from "../answer/output-text.ts";
import type { Printed } from "../answer/read-output.ts";

const NOTHING: Printed = { text: "", isUtf16: false };

/** What a hook's process prints on one of its outputs. Both ends are kept; all of it is searched for answers. */
export class PrintedOutput extends OutputEnds {
  readonly #limit: number;
  #search: AnswerSearch | undefined;

  constructor(headLimit: number, tailLimit: number) {
    super(headLimit, tailLimit);
    this.#limit = headLimit + tailLimit;
  }

  override add(chunk: Buffer): void {
    if (this.#search === undefined && this.total + chunk.length > this.#limit) {
      // Only an output that cannot be kept as a whole is searched while it arrives.
      this.#search = new AnswerSearch();
      this.#search.add(this.head);
      this.#search.add(this.tail);
    }
    this.#search?.add(chunk);
    super.add(chunk);
  }

  /** The output as text. What was left out is marked by a line of its own. */
  get printed(): Printed {
    // Most guards print nothing when they let a call pass.
    if (this.total === 0) return NOTHING;
    const { head, tail } = this;
    const encoding = encodingOf(head);
    const isUtf16 = encoding !== "utf8";
    if (this.#search === undefined) {
      const bytes = tail.length === 0 ? head : Buffer.concat([head, tail]);
      const text = decodeAs(encoding, bytes);
      return {
        text,
        isUtf16,
        hasBadBytes: !isUtf16 && text.includes("\ufffd") && !isUtf8(bytes),
        otherTexts: otherReadings(encoding, bytes),
      };
    }
    // Both parts of a character, and then the next, begin at an even offset.
    const start = isUtf16 ? (this.total - tail.length) & 1 : 0;
    const mark = `\n… (${this.total - head.length - tail.length} bytes left out)\n`;
    const text = `${decodeAs(encoding, head)}${mark}${decodeAs(encoding, tail.subarray(start))}`;
    return { text, isUtf16, found: this.#search.end() };
  }
}
