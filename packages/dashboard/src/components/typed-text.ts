/** A field whose value is in the address, which changes a moment after the user typed. */
export interface TypedText {
  /** What the field shows. */
  readonly text: string;
  /** The value in the address. */
  readonly value: string;
  /** What the address was asked to change to, and did not yet. */
  readonly sent: readonly string[];
}

/**
 * The field after the address has changed. A value that the field itself has sent leaves its text as it is, because the user may have
 * typed more since; any other value comes from the history of the browser or from another part of the page, and replaces the text.
 */
export function followAddress({ text, sent }: TypedText, value: string): TypedText {
  const arrived = sent.lastIndexOf(value.trim());
  return arrived === -1 ? { text: value, value, sent: [] } : { text, value, sent: sent.slice(arrived + 1) };
}
