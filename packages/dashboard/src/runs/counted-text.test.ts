import { expect, test } from "vitest";
import { countedText } from "./counted-text.ts";
import { NO_FILTERS } from "./run-filters.ts";

const text = (counted: number, count: number) => countedText(NO_FILTERS, counted, { count, more: false });
const decisions = (counted: number, kept: number) =>
  countedText({ ...NO_FILTERS, decision: ["blocked"] }, counted, { count: 1, more: false, decisions: kept });

test.each([
  [text(3, 3), undefined],
  [text(3, 2), "3 runs were counted in this time; 1 of them has been removed since."],
  [text(3, 1), "3 runs were counted in this time; 2 of them have been removed since."],
  [text(1, 0), "1 run was counted in this time; it has been removed since."],
  [decisions(1, 1), "1 call of hooks: blocked, in 1 run."],
  [
    decisions(2, 1),
    "2 calls of hooks: blocked. 1 of them is in the runs below; 1 was in runs that have been removed since.",
  ],
  [
    decisions(6, 3),
    "6 calls of hooks: blocked. 3 of them are in the runs below; 3 were in runs that have been removed since.",
  ],
])("a list says what was counted and removed: %s", (said, expected) => {
  expect(said).toBe(expected);
});

test("a list of more than a thousand runs does not say how many of them are missing", () => {
  const more = { count: 1_000, more: true, decisions: 900 };
  expect(countedText(NO_FILTERS, 5_000, more)).toBe(undefined);
  expect(countedText({ ...NO_FILTERS, decision: ["passed"] }, 4_000, more)).toBe(
    "4,000 calls of hooks: passed. The list has more than 1,000 runs.",
  );
});
