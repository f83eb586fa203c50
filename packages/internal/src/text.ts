/** A text of at most so many characters, with a mark where the rest was. Never ends in half of a surrogate pair. */
export function shortened(text: string, most: number): string {
  return text.length <= most
    ? text
    : `${text.slice(0, Math.max(0, most - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The most that is kept, sent or shown of an error. */
export const LONGEST_ERROR = 4_000;

/** A value as an error message names it. */
export function formatValue(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object")
    return `an object with ${Object.keys(value).slice(0, 5).join(", ") || "no fields"}`;
  if (typeof value === "function") return "a function";
  return `${typeof value} ${String(value).slice(0, 60)}`;
}

/** A text as one word of a POSIX shell. In single quotes it interprets nothing but the quote itself. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same, quoted only where it has to be. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,][\w./:@%+=,-]*$/.test(text) ? text : shellQuoted(text);
}

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Replaces each `${NAME}` in a text by what `read` returns for the name. Values are not expanded again. `isName` is false for a `${…}`
 * that has something else between its braces.
 */
export function fillVariables(text: string, read: (name: string, isName: boolean) => string): string {
  return text.replaceAll(/\$\{([^}]*)\}/g, (_, name: string) => read(name, VARIABLE_NAME.test(name)));
}
