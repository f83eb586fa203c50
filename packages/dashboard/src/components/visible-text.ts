/** Characters that are not seen but change what is: control characters, those that turn the direction of a text, and invisible tags. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is searched for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** A text of an agent in which nothing is hidden: `gnp.exe` after U+202E is `\u{202e}gnp.exe`. Line breaks and tabs stay. */
export function visibleText(text: string): string {
  return text.replaceAll(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
