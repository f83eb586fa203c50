import type { FoundText } from "@tenterhook/protocol/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findPassage } from "./found-text.ts";
import type { RunText } from "./run-text.ts";
import { searchedWords } from "./words.ts";

const NOTHING: RunText = {
  error: null,
  block_reason: null,
  stop_reason: null,
  parameters: null,
  original_parameters: null,
  result_text: null,
  result_data: null,
};

const find = (search: string, texts: Partial<RunText>) =>
  findPassage({ ...NOTHING, ...texts }, searchedWords(search));

/** The passage with its matches in brackets. */
const marked = (found: FoundText | null) =>
  found &&
  `${found.field}: ${found.parts.map(({ text, is_match }) => (is_match ? `[${text}]` : text)).join("")}`;

test.each<[string, Partial<RunText>, string | null]>([
  ["disk", { error: "ENOSPC: disk overflowing" }, "error: ENOSPC: [disk] overflowing"],
  ["DISK Over", { error: "Disk overflowing" }, "error: [Disk] [over]flowing"],
  ["port", { result_text: "the report is at port 80" }, "result_text: the report is at [port] 80"],
  ["müller", { parameters: '{"path": "/srv/M\\u00fcller.csv"}' }, "parameters: /srv/[Müller].csv"],
  ["path", { parameters: '{"path": "/srv/file"}' }, null],
  ["京", { result_text: "東京タワー" }, "result_text: 東[京]タワー"],
  ["full", { result_text: "Ｆｕｌｌ width" }, "result_text: [Full] width"],
  ["a b", { result_text: "a\n\n  b" }, "result_text: [a] [b]"],
  ["two one", { error: "one", result_text: "one and two" }, "result_text: [one] and [two]"],
  ["absent", { error: "one" }, null],
  ["<b>", { error: "<b>bold</b>" }, "error: <[b]>[b]old</[b]>"],
])("a search for %j in %j shows %j", (search, texts, expected) => {
  expect(marked(find(search, texts))).toBe(expected);
});

test("a passage of a long text begins at a word near the first match, and is cut on both sides", () => {
  const found = find("needle", { result_text: `${"hay ".repeat(500)}needle${" hay".repeat(500)}` });
  expect(marked(found)).toMatch(/^result_text: …hay (?:hay )+\[needle\](?: hay)+(?: h?a?)?…$/);
  expect(found?.parts.map(({ text }) => text).join("").length).toBeLessThan(210);
});

test("whatever the texts and the search, a passage is short and has a match", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), fc.nat(400), (text, from) => {
      const words = searchedWords(text.slice(from, from + 30));
      const found = words.length === 0 ? null : findPassage({ ...NOTHING, result_text: text }, words);
      if (found === null) return;
      expect(found.parts.some(({ is_match }) => is_match)).toBe(true);
      expect(found.parts.map((part) => part.text).join("").length).toBeLessThan(210);
    }),
  );
});
