import { TenterhookError } from "@tenterhook/protocol";

/** How far into a file a NUL byte is looked for. */
const BINARY_CHECK_BYTES = 8_192;

/** No text has NUL bytes; UTF-16, which has, counts as binary too. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, BINARY_CHECK_BYTES).includes(0);
}

/** Text to read: no byte order mark, `\n` for line ends, replacement characters for what is no UTF-8. */
export function readableText(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes);
  return hasCrlf(text) ? text.replaceAll("\r\n", "\n") : text;
}

/** Text to change and write back: every byte comes back as it was. Throws for what is no UTF-8. */
export function exactText(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const message = `"${path}" is not UTF-8; writing it back would damage it.`;
    throw new TenterhookError("tool_failed", message, { cause });
  }
}

/** Every line ends with `\r\n`. In a file that mixes line ends, each of them is shown and taken as it is. */
export function hasCrlf(text: string): boolean {
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text);
}

/** The beginning of a text, not cut through a character: half of one is no text, and some model providers refuse it. */
export function beginning(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

export function binaryFileError(path: string): TenterhookError {
  return new TenterhookError("tool_failed", `"${path}" is a binary file, not text.`);
}
