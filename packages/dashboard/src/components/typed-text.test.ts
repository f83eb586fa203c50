import { expect, test } from "vitest";
import { followAddress } from "./typed-text.ts";

test("a value that the field has sent leaves what was typed since", () => {
  const typed = { text: "quarterly", value: "", sent: ["quarter"] };
  expect(followAddress(typed, "quarter")).toEqual({ text: "quarterly", value: "quarter", sent: [] });
});

test("values that the address skipped are no longer waited for", () => {
  const typed = { text: "abc", value: "", sent: ["a", "ab", "abc"] };
  expect(followAddress(typed, "ab")).toEqual({ text: "abc", value: "ab", sent: ["abc"] });
});

test("a space at the end of what was typed stays", () => {
  const typed = { text: "two ", value: "", sent: ["two"] };
  expect(followAddress(typed, "two")).toEqual({ text: "two ", value: "two", sent: [] });
});

test("a value that the field has not sent replaces its text", () => {
  const typed = { text: "abc", value: "ab", sent: ["abc"] };
  expect(followAddress(typed, "before")).toEqual({ text: "before", value: "before", sent: [] });
});
