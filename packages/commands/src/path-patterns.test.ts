import { expect, test } from "vitest";
import { compilePatterns, coversPath, overlapsPath } from "./path-patterns.ts";

function isCovered(pattern: string, path: string): boolean {
  return compilePatterns(pattern).some((each) => coversPath(each, path));
}

test.each([
  ["/etc/**", "/etc"],
  ["/etc/**", "/etc/a/b"],
  ["**/.env", "/a/b/.env"],
  ["**/.env", ".env"],
  ["/a/**/x.*", "/a/x.js"],
  ["/a/**/x.*", "/a/b/c/x.js"],
  ["/a/?.t*t", "/a/b.text"],
  ["**/*a*b*c", "/x/1a2b3c"],
  ["~/.netrc", "/home/me/.netrc"],
  ["/a/*", "/a/*"],
])("%s covers %s", (pattern, path) => {
  expect(isCovered(pattern, path)).toBe(true);
});

test.each([
  ["/etc/**", "/etcetera"],
  ["**/.env", "/a/.envrc"],
  ["/a/*", "/a/b/c"],
  ["/a/*", "/a"],
  ["/a/?", "/a/"],
  ["/a/[b]", "/a/b"],
  ["**/a*", "/ba"],
])("%s does not cover %s", (pattern, path) => {
  expect(isCovered(pattern, path)).toBe(false);
});

test("a pattern with many stars is compared with a long path in a moment", () => {
  const started = performance.now();
  expect(isCovered(`/${"**/a/".repeat(50)}b`, "/a".repeat(2_000))).toBe(false);
  expect(isCovered(`/${"*a".repeat(50)}b`, `/${"a".repeat(4_000)}`)).toBe(false);
  expect(performance.now() - started).toBeLessThan(1_000);
});

test.each([
  ["**/.git/**", "/a/**/*.pyc", false],
  ["**/.git/**", "/a/**/.git", true],
  ["**/.git/**", "/a/.g*/x", true],
  ["**/id_rsa", "/**/id_*", true],
  ["~/.ssh/id_*", "~/**/id_x", true],
  ["**/*.key", "/a/**/*.key", true],
])("whether %s could have what %s names: %s", (pattern, path, expected) => {
  expect(compilePatterns(pattern).some((each) => overlapsPath(each, path))).toBe(expected);
});
