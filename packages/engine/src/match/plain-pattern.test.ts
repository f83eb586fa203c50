import { compileRegex } from "@tenterhook/internal/regex";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hasPlainWord, plainWords } from "./pattern.ts";

const words = fc.stringMatching(/^(?:[A-Za-z0-9_ -]|\\[.+*?()[\]{}$^/-]|\[[.+*?]\]){1,4}$/);
/** What a word searches for. */
const found = (alternative = "") =>
  alternative.replace(/^\^|(?<!\\)\$$/g, "").replaceAll(/\\(.)|\[(.)\]/g, "$1$2");
const alternatives = fc
  .tuple(fc.constantFrom("", "^"), words, fc.constantFrom("", "$"))
  .map(([start, word, end]) => `${start}${word}${end}`);

test("words are found where the pattern engine finds them", () => {
  fc.assert(
    fc.property(
      fc.array(alternatives, { minLength: 1, maxLength: 3 }),
      fc.stringMatching(/^[A-Za-z0-9_ .+*?()[\]{}$^/\n-]{0,8}$/),
      (parts, text) => {
        const source = parts.join("|");
        const texts = [
          text,
          ...parts,
          ...parts.map(found),
          `${found(parts[0])}${text}`,
          `${text}${found(parts[0])}`,
        ];
        const words = plainWords(source) ?? [];
        const regex = compileRegex(source);
        for (const each of texts)
          expect(hasPlainWord(words, each), `${source} in ${JSON.stringify(each)}`).toBe(regex.test(each));
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  "",
  "a|",
  "\\d",
  "\\|",
  "\\\\",
  "[.,]",
  "[^.]",
  "a.c",
  "a*",
  "(a)",
  "[ab]",
  "a{2}",
  "^",
  "$",
  "a^b",
  "a$b",
  "é",
])("%j is left to the pattern engine", (source) => {
  expect(plainWords(source)).toBeUndefined();
});
