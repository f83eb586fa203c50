/** A text of at most so many characters, with a mark where the rest was. Never ends in half of a surrogate pair. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The most that is kept, sent or shown of an error. */
export const LONGEST_ERROR = 4_000;
