import { describe, expect, test } from "vitest";
import { threadTimeMs } from "../../../../engine/src/match/thread-time.ts";
import { globPattern } from "./glob.ts";

test.each([
  ["*.ts", ["a.ts", ".ts", ".hidden.ts"], ["src/a.ts", "a.tsx", "a.ts.map"]],
  ["**/*.ts", ["a.ts", "src/a.ts", "a/b/c/.d.ts"], ["a.js"]],
  ["src/**", ["src/a", "src/a/b"], ["src", "srcs/a", "lib/src/a"]],
  ["**", ["a", "a/b", ".a/.b"], []],
  ["a/**/z", ["a/z", "a/b/z", "a/b/c/z"], ["az", "a/bz"]],
  ["a**/z", ["a/z", "ab/z"], ["a/b/z", "ab/c/z"]],
  ["**z", ["z", "az"], ["a/z"]],
  ["a?c", ["abc", "a.c", "a😀c"], ["ac", "a/c", "abbc"]],
  ["[a-c]1", ["a1", "c1"], ["d1", "-1"]],
  ["[!a-c]1", ["d1", "-1"], ["a1", "/1"]],
  ["[^a]1", ["b1"], ["a1"]],
  ["[]x]", ["]", "x"], ["[]x]"]],
  ["[.]env", [".env"], ["aenv"]],
  ["*.{ts,tsx}", ["a.ts", "a.tsx"], ["a.js", "a.{ts,tsx}"]],
  ["{src,test}/**/*.ts", ["src/a.ts", "test/x/a.ts"], ["lib/a.ts"]],
  ["{src/**,lib}/a", ["src/x/a", "lib/a"], ["test/a"]],
  ["a{,.b{c,d}}", ["a", "a.bc", "a.bd"], ["a.b", "a.bcd"]],
  ["a,b}", ["a,b}"], ["a", "b"]],
  ["[", ["["], ["a"]],
  ["app/\\[id\\]/*", ["app/[id]/page"], ["app/i/page"]],
  ["\\*", ["*"], ["a"]],
  ["a+(b).c|d^$", ["a+(b).c|d^$"], ["aab.c"]],
  ["naïve*", ["naïve-ö"], ["naive"]],
  ["a*b", ["a\nb"], ["a/b"]],
])("the pattern %s matches only what it should", (glob, taken, left) => {
  const matches = globPattern(glob);
  expect(taken.filter((path) => !matches(path))).toEqual([]);
  expect(left.filter(matches)).toEqual([]);
});

describe("a pattern is refused", () => {
  test.each(["{a,b", "a{b{c}", "[z-a]", "x".repeat(1_001)])("%.20s", (glob) => {
    expect(() => globPattern(glob)).toThrow(expect.objectContaining({ code: "bad_tool_input" }));
  });
});

test("many stars and a long name are matched quickly", () => {
  const before = threadTimeMs();
  expect(globPattern(`${"*a".repeat(200)}*b`)("a".repeat(255))).toBe(false);
  expect(globPattern(`${"**/a/".repeat(100)}b`)("a/".repeat(2_000))).toBe(false);
  expect(threadTimeMs() - before).toBeLessThan(5_000);
});
