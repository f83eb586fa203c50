import { expect, test } from "vitest";
import { threadTimeMs } from "../../../engine/src/match/thread-time.ts";
import { jsonDiff } from "./json-diff.ts";

/** A diff as text, folds as their count. */
function textOf(before: unknown, after: unknown): string[] | undefined {
  return jsonDiff(before, after)?.flatMap(({ type, lines }) =>
    type === "fold" ? [`… ${lines.length}`] : lines.map(({ sign, text }) => `${sign}${text}`),
  );
}

test("an added field is one added line, even at the end", () => {
  expect(textOf({ report_id: "q3" }, { report_id: "q3", resolved_path: "/data/q3" })).toEqual([
    " {",
    '   "report_id": "q3",',
    '+  "resolved_path": "/data/q3"',
    " }",
  ]);
});

test("a changed field is a removed line and an added one", () => {
  expect(textOf({ a: 1, b: 2 }, { a: 1, b: 3 })).toEqual([
    " {",
    '   "a": 1,',
    '−  "b": 2',
    '+  "b": 3',
    " }",
  ]);
});

test("the diff ignores the order of fields", () => {
  expect(
    textOf({ b: { d: 1, c: 2 }, a: 1 }, { a: 1, b: { c: 2, d: 1 } })?.some((line) => /^[+−]/.test(line)),
  ).toBe(false);
});

test("long unchanged regions are folded, three lines around a change are shown", () => {
  const before = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`k${String(index).padStart(2, "0")}`, index]),
  );
  expect(textOf(before, { ...before, k15: "x" })).toEqual([
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

test("short unchanged regions are not folded", () => {
  const before = { a: 1, b: 2, c: 3, d: 4, e: 5 };
  expect(textOf(before, { ...before, e: 6 })?.some((line) => line.startsWith("…"))).toBe(false);
});

test("two large values without similarities take at most five seconds", () => {
  const large = (word: string) =>
    Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`${word}${index}`, word]));
  const begin = threadTimeMs();
  jsonDiff(large("a"), large("b"));
  expect(threadTimeMs() - begin).toBeLessThan(5_000);
});
