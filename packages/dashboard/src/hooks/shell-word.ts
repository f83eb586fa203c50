/** A text as one word of a command in a POSIX shell: quoted where it has to be. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,][\w./:@%+=,-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
