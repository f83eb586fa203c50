import { expect, test } from "vitest";
import { jsonDiff } from "./json-diff.ts";

/** A diff as text, folds as their count. */
function drawn(before: unknown, after: unknown): string[] | undefined {
  return jsonDiff(before, after)?.flatMap(({ type, lines }) =>
    type === "fold" ? [`… ${lines.length}`] : lines.map(({ sign, text }) => `${sign}${text}`),
  );
}

test("an added field is one added line, also as the last one", () => {
  expect(drawn({ report_id: "q3" }, { report_id: "q3", resolved_path: "/data/q3" })).toEqual([
    " {",
    '   "report_id": "q3",',
    '+  "resolved_path": "/data/q3"',
    " }",
  ]);
});

test("a changed field is a removed line and an added one", () => {
  expect(drawn({ a: 1, b: 2 }, { a: 1, b: 3 })).toEqual([" {", '   "a": 1,', '−  "b": 2', '+  "b": 3', " }"]);
});

test("the order of fields is no difference", () => {
  expect(
    drawn({ b: { d: 1, c: 2 }, a: 1 }, { a: 1, b: { c: 2, d: 1 } })?.some((line) => /^[+−]/.test(line)),
  ).toBe(false);
});

test("long unchanged regions are folded, three lines around a change are shown", () => {
  const before = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`k${String(index).padStart(2, "0")}`, index]),
  );
  expect(drawn(before, { ...before, k15: "x" })).toEqual([
    "… 13",
    '   "k12": 12,',
    '   "k13": 13,',
    '   "k14": 14,',
    '−  "k15": 15,',
    '+  "k15": "x",',
    '   "k16": 16,',
    '   "k17": 17,',
    '   "k18": 18,',
    "… 12",
  ]);
});

test("a fold of a line or two is none", () => {
  const before = { a: 1, b: 2, c: 3, d: 4, e: 5 };
  expect(drawn(before, { ...before, e: 6 })?.some((line) => line.startsWith("…"))).toBe(false);
});

test("two large values without anything in common do not take forever", () => {
  const large = (word: string) =>
    Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`${word}${index}`, word]));
  const begin = performance.now();
  jsonDiff(large("a"), large("b"));
  expect(performance.now() - begin).toBeLessThan(5_000);
});
