import { isUtf8 } from "node:buffer";
import { StringDecoder } from "node:string_decoder";
import { OutputEnds } from "@tenterhook/engine/process";
import { Reading } from "./reading.ts";

/** What a hook's process printed on standard output. */
export interface Printed {
  /** For the log; of a long output its two ends. */
  readonly text: string;
  readonly isUtf16: boolean;
  /** The text has characters that stand for bytes which are not UTF-8. */
  readonly hasBadBytes?: boolean;
  /** The text is not all of the output. */
  readonly isCut?: boolean;
  /** What the output decides, if it is cut or has zeros. */
  readonly own?: Reading;
  /** What the same bytes decide in other encodings that parts of them may be in. These may only refuse. */
  readonly others?: readonly Reading[];
}

type Encoding = "utf8" | "utf16le" | "utf16be";

/** What a hook's process prints on one of its outputs. Both ends are kept; all of it is searched for answers. */
export class PrintedOutput extends OutputEnds {
  readonly #limit: number;
  #readings: Readings | undefined;

  constructor(headLimit: number, tailLimit: number) {
    super(headLimit, tailLimit);
    this.#limit = headLimit + tailLimit;
  }

  override add(chunk: Buffer): void {
    if (this.#readings === undefined && this.total + chunk.length > this.#limit) {
      // Only an output that cannot be kept as a whole is searched while it arrives.
      this.#readings = new Readings(encodingOf(this.head));
      this.#readings.add(this.head);
      this.#readings.add(this.tail);
    }
    this.#readings?.add(chunk);
    super.add(chunk);
  }

  /** The output as text. What was left out is marked by a line of its own. */
  get printed(): Printed {
    // Most guards print nothing when they let a call pass.
    if (this.total === 0) return NOTHING;
    const { head, tail } = this;
    const encoding = encodingOf(head);
    const isUtf16 = encoding !== "utf8";
    if (this.#readings !== undefined) {
      // Both parts of a character, and then the next, begin at an even offset.
      const start = isUtf16 ? (this.total - tail.length) & 1 : 0;
      const mark = `\n… (${this.total - head.length - tail.length} bytes left out)\n`;
      const text = `${decodeAs(encoding, head)}${mark}${decodeAs(encoding, tail.subarray(start))}`;
      return { text, isUtf16, isCut: true, ...this.#readings.end() };
    }
    const bytes = tail.length === 0 ? head : Buffer.concat([head, tail]);
    // A byte left over is no half of a character, but text in another encoding.
    const left = isUtf16 ? bytes.toString("latin1", bytes.length & ~1) : "";
    const text = decodeAs(encoding, bytes) + left;
    if (!isUtf16 && !bytes.includes(0))
      return { text, isUtf16, hasBadBytes: text.includes("\ufffd") && !isUtf8(bytes) };
    const readings = new Readings(encoding);
    readings.add(bytes);
    // A zero inside of a text is half of a character in UTF-16.
    const hasBadBytes = !isUtf16 && (/\0[^\0\s]/.test(text) || !isUtf8(bytes));
    return { text, isUtf16, hasBadBytes, ...readings.end() };
  }
}

const NOTHING: Printed = { text: "", isUtf16: false };

/** Bytes read in one encoding while they arrive. */
interface Stream {
  readonly decoder: { write(bytes: Buffer): string; end(): string };
  readonly reading: Reading;
}

/**
 * Reads bytes in their own encoding, and in each other one that parts of them may be in: a process may print a file in one and
 * its answer in another. An answer in UTF-16 has a zero in every other byte, because its keys are ASCII.
 */
class Readings {
  readonly #own: Stream;
  readonly #isUtf16: boolean;
  readonly #utf8: Stream[] = [];
  readonly #utf16: Stream[] = [];
  #previous: Buffer | undefined;
  #hasMark = false;
  #hasMisreadQuote = false;

  constructor(encoding: Encoding) {
    this.#isUtf16 = encoding !== "utf8";
    this.#own = streamOf(encoding);
    if (this.#isUtf16) this.#utf8.push(streamOf("utf8"));
  }

  add(chunk: Buffer): void {
    if (this.#previous === undefined) this.#hasMark = this.#isUtf16 && hasMark(chunk);
    const bytes = this.#previous === undefined && this.#hasMark ? chunk.subarray(2) : chunk;
    const text = this.#own.decoder.write(bytes);
    this.#own.reading.add(text);
    this.#hasMisreadQuote ||= text.includes(MISREAD_QUOTE);
    if (this.#utf16.length === 0 && bytes.includes(0)) {
      this.#utf16.push(
        streamOf("utf16le"),
        streamOf("utf16be"),
        streamOf("utf16le", 1),
        streamOf("utf16be", 1),
      );
      // Where this chunk was cut, half of the first character may be in the one before.
      for (const stream of this.#utf16) write(stream, this.#previous ?? NO_BYTES);
    }
    for (const stream of [...this.#utf8, ...this.#utf16]) write(stream, bytes);
    this.#previous = bytes;
  }

  /** What each reading decides; the others may only refuse. */
  end(): { readonly own: Reading; readonly others: readonly Reading[] } {
    const own = end(this.#own);
    // Read from another byte, what is UTF-16 from its beginning would say something else.
    const isMixed = !this.#isUtf16 || this.#hasMisreadQuote || (own.isBroken && !this.#hasMark);
    const others = isMixed ? [...this.#utf8, ...this.#utf16] : this.#utf8;
    return { own, others: others.map(end) };
  }
}

const NO_BYTES = Buffer.alloc(0);

/** `"` in UTF-16, if read from the wrong byte or with the wrong end first. */
const MISREAD_QUOTE = "\u2200";

function streamOf(encoding: Encoding, offset: 0 | 1 = 0): Stream {
  const decoder = encoding === "utf8" ? new StringDecoder("utf8") : new Utf16Decoder(encoding, offset);
  return { decoder, reading: new Reading() };
}

function write({ decoder, reading }: Stream, bytes: Buffer): void {
  reading.add(decoder.write(bytes));
}

function end({ decoder, reading }: Stream): Reading {
  reading.add(decoder.end());
  return reading.end();
}

/** Decodes UTF-16 that arrives in parts. A byte before it, or left at its end, stands for itself: it could be a brace. */
class Utf16Decoder {
  readonly #encoding: Encoding;
  readonly #offset: 0 | 1;
  #half: Buffer | undefined;

  constructor(encoding: Encoding, offset: 0 | 1) {
    this.#encoding = encoding;
    this.#offset = offset;
  }

  write(bytes: Buffer): string {
    if (bytes.length === 0) return "";
    const start = this.#half === undefined ? this.#offset : 0;
    const text = Buffer.concat([this.#half ?? NO_BYTES, bytes.subarray(start)]);
    this.#half = Buffer.from(text.subarray(text.length & ~1));
    return bytes.toString("latin1", 0, start) + decodeAs(this.#encoding, text);
  }

  end(): string {
    return this.#half?.toString("latin1") ?? "";
  }
}

/** Decodes a process's output. A cut may have halved the last character. */
export function decodeAs(encoding: Encoding, bytes: Buffer): string {
  if (encoding === "utf8") return bytes.toString("utf8");
  const whole = bytes.subarray(0, bytes.length & ~1);
  return (encoding === "utf16le" ? whole : Buffer.from(whole).swap16()).toString("utf16le");
}

/** How much of an output is read to detect its encoding. */
const SAMPLE = 4096;

/**
 * The encoding of a process's output: UTF-8, unless its bytes say otherwise, as PowerShell's may. UTF-16 has a byte order
 * mark, or a zero in nearly every other byte and hardly one in the bytes between them.
 */
export function encodingOf(bytes: Buffer): Encoding {
  if (hasMark(bytes)) return bytes[0] === 0xff ? "utf16le" : "utf16be";
  const length = Math.min(bytes.length, SAMPLE) & ~1;
  const zeros = [0, 0];
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = Math.max(even, odd);
  if (most * 4 < length || Math.min(even, odd) * 8 > most || most === 0) return "utf8";
  return odd > even ? "utf16le" : "utf16be";
}

function hasMark(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}
