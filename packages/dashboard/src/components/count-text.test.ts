import { expect, test } from "vitest";
import { countText } from "./count-text.ts";

test.each([
  [countText(0, "run"), "0 runs"],
  [countText(1, "run"), "1 run"],
  [countText(1, "run", { isMore: true }), "1+ runs"],
  [countText(1_203, "run"), "1,203 runs"],
  [countText(1_000, "run", { isMore: true }), "1,000+ runs"],
  [countText(1, "person", { plural: "people" }), "1 person"],
  [countText(2, "person", { plural: "people" }), "2 people"],
])("a number has its noun in the right form: %s", (text, expected) => {
  expect(text).toBe(expected);
});
