import { expect, test } from "vitest";
import { jsonText } from "./terminal.ts";

test("JSON on a terminal is the same value, without characters that turn, hide or move what is shown", () => {
  const value = { "na\u202eme": "a\u2066b\u009b2J\u200b\u{e0041}\u2028", plain: "für 😀\ttab" };
  const text = jsonText(value, 2);
  expect(JSON.parse(text)).toEqual(value);
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(text).toContain("für 😀");
});
