import { expect, test } from "vitest";
import { jsonText, palette, styled } from "./terminal.ts";

test("a terminal gets tenterhook's own styles, and control characters of other text escaped", () => {
  const { bold, red } = palette({ isTTY: true });
  expect(styled(bold(`a${red("b\u001b[31mc\u202e")}`))).toBe(
    "\u001b[1ma\u001b[31mb\\u{1b}[31mc\\u{202e}\u001b[39m\u001b[22m",
  );
});

test("JSON on a terminal is the same value without control characters", () => {
  const value = { "na\u202eme": "a\u2066b\u009b2J\u200b\u{e0041}\u2028", plain: "für 😀\ttab" };
  const text = jsonText(value, 2);
  expect(JSON.parse(text)).toEqual(value);
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(text).toContain("für 😀");
});
