import { TextDecoder } from "node:util";
import { OutputEnds } from "@tenterhook/engine/process";
import { Reading } from "./reading.ts";

/** What a hook's process printed on standard output. */
export interface Printed {
  /** For the log; of a long output its two ends. */
  readonly text: string;
  readonly isUtf16: boolean;
  /** Some of the bytes are in no or in another encoding. */
  readonly hasBadBytes?: boolean;
  /** The text is not all of the output. */
  readonly isCut?: boolean;
  /** What the output decides, if it is cut or has zeros. */
  readonly own?: Reading;
  /** What the same bytes decide in other encodings that parts of them may be in. These may only refuse. */
  readonly others?: readonly Reading[];
}

type Encoding = "utf-8" | "utf-16le" | "utf-16be";

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
      this.#readings = new Readings(this.head);
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
    const isUtf16 = encoding !== "utf-8";
    if (this.#readings !== undefined) {
      // Both parts of a character, and then the next, begin at an even offset.
      const start = isUtf16 ? (this.total - tail.length) & 1 : 0;
      const mark = `\n… (${this.total - head.length - tail.length} bytes left out)\n`;
      const text = `${decode(head, encoding)}${mark}${decode(tail.subarray(start), encoding)}`;
      return { text, isUtf16, isCut: true, ...this.#readings.end() };
    }
    const bytes = tail.length === 0 ? head : Buffer.concat([head, tail]);
    const text = decode(bytes, encoding);
    const hasBadBytes = text.includes("\ufffd") && !isWellEncoded(bytes, encoding);
    if (!isUtf16 && !bytes.includes(0)) return { text, isUtf16, hasBadBytes };
    // A zero inside of a text is half of a character in UTF-16.
    const isMixed = /\0[^\0\s]/.test(text);
    return { text, isUtf16, hasBadBytes: hasBadBytes || isMixed, ...new Readings(bytes).end() };
  }
}

const NOTHING: Printed = { text: "", isUtf16: false };

/** Bytes read in one encoding while they arrive. */
interface Stream {
  readonly decoder: TextDecoder;
  readonly reading: Reading;
}

/**
 * Reads bytes in their own encoding, and in each other one that parts of them may be in: a process may print a file in one and
 * its answer in another. An answer in UTF-16 has a zero in every other byte, because its keys are ASCII.
 */
class Readings {
  readonly #own: Stream;
  readonly #utf8: Stream[] = [];
  readonly #utf16: Stream[] = [];
  readonly #hasMark: boolean;
  #hasMisreadQuote = false;
  #last: Buffer = NO_BYTES;

  constructor(head: Buffer) {
    const encoding = encodingOf(head);
    this.#own = streamOf(encoding);
    if (encoding !== "utf-8") this.#utf8.push(streamOf("utf-8"));
    this.#hasMark = hasMark(head);
    this.add(this.#hasMark ? head.subarray(2) : head);
  }

  add(bytes: Buffer): void {
    this.#hasMisreadQuote ||= write(this.#own, bytes).includes(MISREAD_QUOTE);
    if (this.#utf16.length === 0 && bytes.includes(0)) {
      // Half of the first character may be in the chunk before.
      for (const encoding of ["utf-16le", "utf-16be"] as const)
        this.#utf16.push(streamOf(encoding, this.#last), streamOf(encoding, ZERO, this.#last));
    }
    for (const stream of [...this.#utf8, ...this.#utf16]) write(stream, bytes);
    this.#last = bytes.subarray(-1);
  }

  /** What each reading decides; the others may only refuse. */
  end(): { readonly own: Reading; readonly others: readonly Reading[] } {
    const own = end(this.#own);
    // Read from another byte, what is UTF-16 from its beginning would say something else.
    const isMixed = this.#utf8.length === 0 || this.#hasMisreadQuote || (own.isBroken && !this.#hasMark);
    const others = isMixed ? [...this.#utf8, ...this.#utf16] : this.#utf8;
    return { own, others: others.map(end) };
  }
}

const NO_BYTES = Buffer.alloc(0);
/** Makes a character of a byte that is left over, before the others and behind them: it could be a brace. */
const ZERO = Buffer.alloc(1);

/** `"` in UTF-16, if read from the wrong byte or with the wrong end first. */
const MISREAD_QUOTE = "\u2200";

function streamOf(encoding: Encoding, ...before: Buffer[]): Stream {
  const stream = { decoder: new TextDecoder(encoding, { ignoreBOM: true }), reading: new Reading() };
  for (const bytes of before) write(stream, bytes);
  return stream;
}

function write({ decoder, reading }: Stream, bytes: Buffer): string {
  const text = decoder.decode(bytes, { stream: true });
  reading.add(text);
  return text;
}

function end({ decoder, reading }: Stream): Reading {
  reading.add(decoder.decode(ZERO));
  return reading.end();
}

/** Decodes a process's output, which is UTF-8 unless its bytes say otherwise. */
export function decode(bytes: Buffer, encoding = encodingOf(bytes)): string {
  return encoding === "utf-8"
    ? bytes.toString()
    : new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

function isWellEncoded(bytes: Buffer, encoding: Encoding): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** How much of an output is read to detect its encoding. */
const SAMPLE = 4096;

/**
 * The encoding of a process's output: UTF-8, unless its bytes say otherwise, as PowerShell's may. UTF-16 has a byte order
 * mark, or a zero in nearly every other byte and hardly one in the bytes between them.
 */
function encodingOf(bytes: Buffer): Encoding {
  if (hasMark(bytes)) return bytes[0] === 0xff ? "utf-16le" : "utf-16be";
  const length = Math.min(bytes.length, SAMPLE) & ~1;
  const zeros = [0, 0];
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = Math.max(even, odd);
  if (most * 4 < length || Math.min(even, odd) * 8 > most || most === 0) return "utf-8";
  return odd > even ? "utf-16le" : "utf-16be";
}

function hasMark(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}
