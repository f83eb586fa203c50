/**
 * Escape sequences of terminals (ECMA-48): control sequences such as colours, strings such as titles and links, and short
 * ones. No alternative begins with what another has read, and none reads past the next escape, so the time is linear:
 * `stripVTControlCharacters` of Node takes seconds for a few hostile kilobytes.
 */
const ESCAPES = new RegExp(
  [
    "(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]",
    "(?:\\u001b[P\\]X^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u0080-\\u009f]*(?:\\u0007|\\u001b\\\\|\\u009c)",
    "\\u001b[ -/]*[0-~]",
  ].join("|"),
  "g",
);

/** A text without the colours and other escape sequences of terminals. */
export function stripEscapes(text: string): string {
  return text.includes("\u001b") || /[\u0090-\u009f]/.test(text) ? text.replaceAll(ESCAPES, "") : text;
}
