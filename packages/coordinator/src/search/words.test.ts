import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonValues, MAX_WORDS, type RunText, runWords } from "./run-text.ts";
import { queryTemplate, searchedWords, wordsOf } from "./words.ts";

const NOTHING: RunText = {
  error: null,
  block_reason: null,
  stop_reason: null,
  parameters: null,
  original_parameters: null,
  result_text: null,
  result_data: null,
};

test.each([
  ["Sum up what was SAID", ["sum", "up", "what", "was", "said"]],
  ["/srv/reports/Q3-2026.csv", ["srv", "reports", "q3", "2026", "csv"]],
  ["ana@example.org", ["ana", "example", "org"]],
  ["snake_case isn't", ["snake", "case", "isn", "t"]],
  ["Größe Ｆｕｌｌ ﬁle", ["größe", "full", "file"]],
  ["東京タワー 12", ["東", "京", "タ", "ワ", "ー", "12"]],
  ["done 🎉🎉", ["done", "🎉", "🎉"]],
  ["हिन्दी", ["हिन्दी"]],
  ["!?'\\:*&|()<->", []],
  ["a\u0000b", ["a", "b"]],
])("the words of %j are %j", (text, words) => {
  expect([...wordsOf(text)]).toEqual(words);
});

test("a word without an end counts by its beginning", () => {
  expect([...wordsOf("x".repeat(5_000))]).toEqual(["x".repeat(64)]);
  expect(encodeURIComponent([...wordsOf("𐐨".repeat(100))].join("").slice(-2))).toBe("%F0%90%90%A8");
});

test("a search has every word once, each as a beginning, and at most sixteen", () => {
  expect(queryTemplate(searchedWords("Sum sum up"))).toBe("'#/sum':* & '#/up':*");
  expect(searchedWords(" !:* #")).toEqual([]);
  expect(searchedWords(Array.from({ length: 100 }, (_, n) => `w${n}`).join(" "))).toHaveLength(16);
});

test("whatever the text, its words have no character that a query would read", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      for (const word of wordsOf(text)) {
        expect(word).toMatch(/^[\p{L}\p{N}\p{M}\p{Extended_Pictographic}]+$/u);
        expect(word.length).toBeLessThanOrEqual(64);
      }
    }),
  );
});

test("of JSON the values count and the keys do not, whatever is escaped and wherever it was cut off", () => {
  const json = JSON.stringify({ path: 'a\\b "c"\nd', list: [1.5, { deep: "e\u0007" }], empty: "" });
  expect([...jsonValues(json)]).toEqual(['a\\b "c"\nd', "1.5", "e\u0007", ""]);
  expect([...jsonValues('{"key": "some te')]).toEqual(["some te"]);
  expect([...jsonValues('{"key": "some \\')]).toEqual(["some "]);
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, end) => {
      expect(() => [...jsonValues(JSON.stringify(value).slice(0, end))]).not.toThrow();
    }),
  );
});

test("a run has at most so many words, its reasons first", () => {
  const parameters = JSON.stringify(Array.from({ length: 5_000 }, (_, n) => `w${n}`));
  const words = runWords({ ...NOTHING, parameters, error: "disk full", result_text: "never reached" });
  expect(words).toHaveLength(MAX_WORDS);
  expect(words.slice(0, 3)).toEqual(["disk", "full", "w0"]);
});
