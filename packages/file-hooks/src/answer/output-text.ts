import { UTF16_READINGS, Utf16Decoder } from "./utf16-decoder.ts";

export type Encoding = "utf8" | "utf16le" | "utf16be";

/** Decodes a process's output. A cut may have halved the last character. */
export function decodeAs(encoding: Encoding, bytes: Buffer): string {
  if (encoding === "utf8") return bytes.toString("utf8");
  const whole = bytes.subarray(0, bytes.length & ~1);
  return (encoding === "utf16le" ? whole : Buffer.from(whole).swap16()).toString("utf16le");
}

const NO_OTHERS: readonly string[] = [];

/**
 * What the bytes say in other encodings than the detected one: a process may print a file in one and its answer in another. An
 * answer in UTF-16 has a zero in every other byte, because its keys are ASCII.
 */
export function otherReadings(encoding: Encoding, bytes: Buffer): readonly string[] {
  const utf8 = encoding === "utf8" ? NO_OTHERS : [bytes.toString("utf8")];
  if (!bytes.includes(0)) return utf8;
  const utf16 = UTF16_READINGS.map(({ offset, isBigEndian }) =>
    new Utf16Decoder(offset, isBigEndian).write(bytes),
  );
  return [...utf8, ...utf16];
}

/** How much of an output is read to detect its encoding. */
const SAMPLE = 4096;

/**
 * The encoding of a process's output: UTF-8, unless its bytes say otherwise, as PowerShell's may. UTF-16 has a byte order
 * mark, or a zero in nearly every other byte and hardly one in the bytes between them.
 */
export function encodingOf(bytes: Buffer): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf16be";
  const length = Math.min(bytes.length, SAMPLE) & ~1;
  const zeros = [0, 0];
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = Math.max(even, odd);
  if (most * 4 < length || Math.min(even, odd) * 8 > most || most === 0) return "utf8";
  return odd > even ? "utf16le" : "utf16be";
}

/**
 * Removes what is for a terminal or a decoder: colour codes, other escape sequences, byte order marks, NULs (left by
 * UTF-16 in the middle of UTF-8). No sequence may contain quotes, braces or line ends, so that none can hide an answer.
 */
export function plainText(text: string): string {
  if (text.search(MARKS) < 0) return text;
  return text.replaceAll(SEQUENCES, "").replaceAll(MARKS, "");
}

/** No sequence that is removed is longer. */
export const LONGEST_SEQUENCE = 2_100;

const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /(?:\x1b\[|\x9b)[0-9;:?<=>]{0,64}[A-Za-z@`~]|\x1b[\]PX^_][^\x07\x1b{}"'\r\n]{0,2048}(?:\x07|\x1b\\)|\x1b[()][A-Za-z0-9]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const MARKS = /[\0\x1b\x9b\ufeff\ufffe]/g;
