/**
 * Letters, digits and signs that mean themselves in every pattern; blanks and case as they are. A point is written as `\.` or `[.]`, and
 * so are the other signs that have a meaning.
 */
const ALTERNATIVE = /^(\^?)((?:[A-Za-z0-9_ \-/:,;=~@#%&'"<>!]|\\[.+*?()[\]{}$^/-]|\[[.+*?]\])+)(\$?)$/;
const ESCAPED = /\\(.)|\[(.)\]/g;

/** A word that a plain pattern searches for, perhaps only at the start or at the end of the text. */
export interface PlainWord {
  readonly word: string;
  readonly start: boolean;
  readonly end: boolean;
}

/**
 * The words of a pattern that is only words with `|` between them, each perhaps at the start or the end of the text: most matchers
 * are. `undefined` for any other, which takes the pattern engine.
 */
export function plainWords(source: string): readonly PlainWord[] | undefined {
  const words: PlainWord[] = [];
  for (const alternative of source.split("|")) {
    const [, start, written, end] = ALTERNATIVE.exec(alternative) ?? [];
    if (written === undefined) return undefined;
    words.push({ word: written.replace(ESCAPED, "$1$2"), start: start !== "", end: end !== "" });
  }
  return words;
}

/** Whether one of the words is the whole text. */
export function isPlainWord(words: readonly PlainWord[], text: string): boolean {
  return words.some(({ word }) => word === text);
}

/** Whether one of the words is found in a text. */
export function hasPlainWord(words: readonly PlainWord[], text: string): boolean {
  for (const { word, start, end } of words) {
    if (
      start ? (end ? text === word : text.startsWith(word)) : end ? text.endsWith(word) : text.includes(word)
    )
      return true;
  }
  return false;
}
