import { expect, test } from "vitest";
import { storableJson } from "./storable-json.ts";

test.each<[string, unknown, unknown]>([
  ["a NUL", { text: "a\0b" }, { text: "a\ufffdb" }],
  ["a NUL in a name", { "a\0b": 1 }, { "a\ufffdb": 1 }],
  ["the first half of a character", ["\ud83d"], ["\ufffd"]],
  ["the second half of a character", ["\ude00x"], ["\ufffdx"]],
])("%s becomes a replacement character", (_, value, stored) => {
  expect(JSON.parse(storableJson(value))).toEqual(stored);
});

test.each<[string, unknown]>([
  ["a whole character of two halves", "😀"],
  ["a backslash before what looks like an escape", "\\u0000 and \\ud83d"],
  ["other control characters", "\u0001\u001b[0m\n"],
  ["an odd number of backslashes and a NUL's digits", "\\\\\\u0000"],
])("%s stays as it is", (_, value) => {
  expect(JSON.parse(storableJson(value))).toEqual(value);
});
