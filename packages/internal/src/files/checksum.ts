/**
 * A checksum of a text with 32 bits: it shows damage and edits by hand, but does not protect against a program that forges it. A change of
 * one word is always seen, because every step can be undone. Not by `node:crypto`, which takes longer to load than this takes for the cache of
 * a thousand hooks; by words of four bytes, because a process that has just started runs such a loop slowly.
 */
export function checksum(text: string): string {
  const length = Buffer.byteLength(text);
  const words = new Int32Array((length + 3) >> 2);
  Buffer.from(words.buffer).write(text);
  let sum = length;
  // Times 31, without a call for each word.
  for (let at = 0; at < words.length; at++) sum = ((sum << 5) - sum + (words[at] ?? 0)) | 0;
  return (sum >>> 0).toString(16).padStart(LENGTH, "0");
}

const LENGTH = 8;

/** A text with its checksum before it. `about` is what it belongs to: it is part of the checksum, not of the text. */
export function withChecksum(text: string, about = ""): string {
  return `${checksum(`${about}${text}`)}${text}`;
}

/** The text without its checksum; `undefined` when that is not the right one. */
export function checkedText(stored: string, about = ""): string | undefined {
  const text = stored.slice(LENGTH);
  return checksum(`${about}${text}`) === stored.slice(0, LENGTH) ? text : undefined;
}
