import { expect, test } from "vitest";
import { formatNames } from "./format-names.ts";

test.each([
  ["Shell", "Shell"],
  ["!Shell", "any but Shell"],
  ["!Shell,-,Read", "any but Shell, none, Read"],
  ["\\!Shell", "!Shell"],
  ["!a\\,b,\\-", "any but a,b, -"],
])("the filter %s is shown as %s", (filter, text) => {
  expect(formatNames(filter)).toBe(text);
});
