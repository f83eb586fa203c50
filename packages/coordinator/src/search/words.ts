/** A longer word is cut, in texts and in searches alike. */
const MAX_WORD = 64;
/** Further words of a search are ignored. */
const MAX_SEARCHED = 16;

// A pictograph, a single letter of the scripts that put no space between words, or letters and digits of the others with their marks.
const SPACELESS =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}]";
const LETTER = "[\\p{L}\\p{N}]";
/** A character before which no word begins, because it belongs to the same word. */
const INSIDE = `(?!${SPACELESS})[\\p{L}\\p{N}\\p{M}]`;
const IS_SPACELESS = new RegExp(`^(?:${SPACELESS}|\\p{Extended_Pictographic})`, "u");
const WORD = new RegExp(
  `\\p{Extended_Pictographic}|(?=${SPACELESS})${LETTER}\\p{M}*|(?:(?!${SPACELESS})${LETTER}\\p{M}*)+`,
  "gu",
);

/** The words of a text, as they are indexed and searched: lower case, with compatible characters unified. */
export function* wordsOf(text: string): Generator<string> {
  for (const [word] of text.normalize("NFKC").toLowerCase().matchAll(WORD)) yield shortened(word);
}

/** Cut at a character, not inside one. */
function shortened(word: string): string {
  return word.length <= MAX_WORD ? word : word.slice(0, MAX_WORD).replace(/[\uD800-\uDBFF]$/, "");
}

/** The words of a search, each once. What contains every word, or a word that begins with it, is found. */
export function searchedWords(text: string): readonly string[] {
  return [...new Set(wordsOf(text))].slice(0, MAX_SEARCHED);
}

/** Finds the words of a search in a text that is normalized (NFKC), each at the beginning of a word. */
export function matchWords(words: readonly string[]): RegExp {
  // The longest first, because the first alternative that matches counts.
  const alternatives = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => (IS_SPACELESS.test(word) ? word : `(?<!${INSIDE})${word}`));
  return new RegExp(alternatives.join("|"), "giu");
}

/**
 * Words as a `tsquery` for one part of the index, with `#` in place of the number of the part. The words consist of letters, digits
 * and pictographs, so they contain no operators.
 */
export function queryTemplate(words: readonly string[]): string {
  return words.map((word) => `'#/${word}':*`).join(" & ");
}
