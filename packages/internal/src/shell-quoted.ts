/** A text as one word of a POSIX shell. In single quotes it interprets nothing but the quote itself. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same, quoted only where it has to be. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,][\w./:@%+=,-]*$/.test(text) ? text : shellQuoted(text);
}
