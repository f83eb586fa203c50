/**
 * Letters, digits and signs that mean themselves in every pattern; blanks and case as they are. A point is written as `\.` or `[.]`, and
 * so are the other signs that have a meaning.
 */
const ALTERNATIVE = /^(\^?)((?:[A-Za-z0-9_ \-/:,;=~@#%&'"<>!]|\\[.+*?()[\]{}$^/-]|\[[.+*?]\])+)(\$?)$/;
const ESCAPED = /\\(.)|\[(.)\]/g;

/**
 * How to search for a pattern that is only words with `|` between them, each perhaps at the start or the end of the text: most matchers
 * are. `undefined` for any other, which takes the pattern engine.
 */
export function plainSearch(source: string): ((text: string) => boolean) | undefined {
  const tests: ((text: string) => boolean)[] = [];
  for (const alternative of source.split("|")) {
    const [, start, written, end] = ALTERNATIVE.exec(alternative) ?? [];
    if (written === undefined) return undefined;
    const word = written.replace(ESCAPED, "$1$2");
    if (start && end) tests.push((text) => text === word);
    else if (start) tests.push((text) => text.startsWith(word));
    else if (end) tests.push((text) => text.endsWith(word));
    else tests.push((text) => text.includes(word));
  }
  return (text) => tests.some((test) => test(text));
}
