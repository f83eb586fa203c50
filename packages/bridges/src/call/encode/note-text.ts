const LONGEST_NOTE = 1_000;
const LONGEST_TEXT = 4_000;

/** Characters that move a cursor, hide text or change its direction. A note may quote what a hook printed. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu;

/** Notes as the person reads them: one line each, of a limited length, that says who it comes from. */
export function noteText(notes: readonly string[]): string {
  const lines = notes.map((note) => {
    const line = cut(note.replaceAll(UNPRINTABLE, " ").trim(), LONGEST_NOTE);
    return /^tenterhook\b/i.test(line) ? line : `tenterhook: ${line}`;
  });
  return cut(lines.join("\n"), LONGEST_TEXT);
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
