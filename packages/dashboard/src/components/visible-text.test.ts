import { expect, test } from "vitest";
import { visibleText } from "./visible-text.ts";

test.each([
  ["photo\u202egnp.exe", "photo\\u{202e}gnp.exe"],
  ["\u2066a\u2069", "\\u{2066}a\\u{2069}"],
  ["\u001b[2J", "\\u{1b}[2J"],
  ["a\u200bb\ufeff", "a\\u{200b}b\\u{feff}"],
  ["\u{e0041}", "\\u{e0041}"],
])("%j is shown as %s", (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test("line breaks, tabs, right-to-left letters and joined emoji stay as they are", () => {
  const text = "a\tb\r\nשלום می‌خواهم 👩‍💻";
  expect(visibleText(text)).toBe(text);
});
