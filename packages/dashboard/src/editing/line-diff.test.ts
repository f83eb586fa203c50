import { expect, test } from "vitest";
import { lineDiff } from "./line-diff.ts";

test("what is the same in both is shown only around what is not", () => {
  const before = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
  const after = before.map((line) => ({ b: "B", i: "I" })[line] ?? line);
  expect(lineDiff(before.join("\n"), after.join("\n")).map(({ type, text }) => `${type} ${text}`)).toEqual([
    "same a",
    "removed b",
    "added B",
    "same c",
    "same d",
    "gap ⋯",
    "same g",
    "same h",
    "removed i",
    "added I",
  ]);
});

test("the same text has no difference", () => expect(lineDiff("a", "a")).toEqual([]));
