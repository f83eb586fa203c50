/** A text as one word of a POSIX shell. In single quotes it interprets nothing but the quote itself. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
