import { expect, test } from "vitest";
import { bounded, boundedText } from "./bounded.ts";

test("a long text is cut, with a note by how much", () => {
  expect(boundedText("abcdef", 4)).toBe("abcd… (2 more characters)");
  expect(boundedText("abcd", 4)).toBe("abcd");
});

test("a small value stays what it is, a large one becomes the beginning of its JSON", () => {
  const small = { a: [1, 2] };
  expect(bounded(small)).toBe(small);
  expect(bounded({ a: "x".repeat(100) }, 10)).toBe('{"a":"xxxx… (98 more characters)');
  expect(bounded("x".repeat(100), 10)).toBe("xxxxxxxxxx… (90 more characters)");
});

test("a value that is no JSON is reported as text", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  expect(bounded(cycle)).toContain("it contains itself");
  expect(bounded(10n)).toBe("10");
  expect(bounded(undefined)).toBeNull();
  expect(bounded(() => 1)).toBeNull();
});

test("a value that is nested too deep for the coordinator is reported as a text with the reason", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 3_000; level++) deep = [deep];
  expect(bounded(deep)).toContain("nested deeper than 200 levels");
  expect(bounded({ a: [10n] })).toContain("not shown");
});
