import { expect, test } from "vitest";
import { readWrittenName, splitNames, writeName } from "./name-filter.ts";

const NAMES = [
  "Shell",
  "a,b",
  "!a",
  "-",
  "*",
  "",
  "a\\b",
  "a\\,b",
  "\\",
  "\\-",
  ",",
  "- a",
  "a!b*c-d",
  "🦊,🦊",
];

test.each(NAMES)("the name %j is read as it was written, and means nothing else", (name) => {
  const written = writeName(name);
  expect(readWrittenName(written)).toBe(name);
  expect(written).not.toMatch(/^(?:!|[-*]$)/);
});

test("a list of names is divided at its commas, and not at those in a name", () => {
  const list = NAMES.map(writeName).join(",");
  expect(splitNames(list).map(readWrittenName)).toEqual(NAMES);
});

test.each(["Shell", "gpt-5.2", "mcp__files__read", "C:\\tools"])(
  "a filter of an earlier version, which wrote %j as it is, means the same",
  (name) => {
    expect(readWrittenName(name)).toBe(name);
  },
);
