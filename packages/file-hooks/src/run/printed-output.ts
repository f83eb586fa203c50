import { OutputEnds } from "@tenterhook/engine/process";
import { decodeAs, encodingOf } from "../answer/output-text.ts";
import type { Printed } from "../answer/read-output.ts";

const NOTHING: Printed = { text: "", isCut: false, isUtf16: false };

/** What a hook's process prints on one of its outputs. Both ends are kept: its answer may come after much else. */
export class PrintedOutput extends OutputEnds {
  /** The output as text. What was left out is marked by a line of its own. */
  get printed(): Printed {
    // Most guards print nothing when they let a call pass.
    if (this.total === 0) return NOTHING;
    const { head, tail, isCut } = this;
    const encoding = encodingOf(head);
    const isUtf16 = encoding !== "utf8";
    if (!isCut) return { text: decodeAs(encoding, Buffer.concat([head, tail])), isCut, isUtf16 };
    // Both parts of a character, and then the next, begin at an even offset.
    const start = isUtf16 ? (this.total - tail.length) & 1 : 0;
    const mark = `\n… (${this.total - head.length - tail.length} bytes left out)\n`;
    const text = `${decodeAs(encoding, head)}${mark}${decodeAs(encoding, tail.subarray(start))}`;
    return { text, isCut, isUtf16 };
  }
}
