import { TenterhookError } from "@tenterhook/protocol";

/** How many bytes are searched for a NUL byte. */
const BINARY_CHECK_BYTES = 8_192;

/** Files with NUL bytes are binary; that includes UTF-16. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, BINARY_CHECK_BYTES).includes(0);
}

/** Text for reading: no byte order mark, `\n` as line end, replacement characters for invalid UTF-8. */
export function readableText(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes);
  return hasCrlf(text) ? text.replaceAll("\r\n", "\n") : text;
}

/** Text for editing: written back unchanged, it has the same bytes. Throws for invalid UTF-8. */
export function exactText(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const message = `"${path}" is not UTF-8; writing it back would damage it.`;
    throw new TenterhookError("tool_failed", message, { cause });
  }
}

/** Whether every line ends with `\r\n`. In a file with mixed line ends they are kept as they are. */
export function hasCrlf(text: string): boolean {
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text);
}

/** The start of a text, without half of a surrogate pair, which some model providers reject. */
export function beginning(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

export function binaryFileError(path: string): TenterhookError {
  return new TenterhookError("tool_failed", `"${path}" is a binary file, not text.`);
}
