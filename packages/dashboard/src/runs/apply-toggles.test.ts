import { expect, test } from "vitest";
import { applyToggles } from "./apply-toggles.ts";

test.each([
  ["one is added", [], [], ["a"], ["a"]],
  ["one is removed", ["a", "b"], ["a", "b"], ["b"], ["b"]],
  ["another was added since", ["b"], [], ["a"], ["b", "a"]],
  ["another was removed since", ["a"], ["a", "b"], ["a", "b", "c"], ["a", "c"]],
  ["the same was added since", ["a"], [], ["a"], ["a"]],
  ["the same was removed since", [], ["a"], [], []],
])("a click counts for the list as it is: %s", (_, before, shown, chosen, expected) => {
  expect(applyToggles(before, shown, chosen)).toEqual(expected);
});
