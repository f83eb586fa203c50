import { expect, test } from "vitest";
import { threadTimeMs } from "../../../engine/src/match/thread-time.ts";
import { stripEscapes } from "./strip-escapes.ts";

test.each([
  ["colours", "\u001b[1;31mred\u001b[0m", "red"],
  ["colours with one byte as their beginning", "\u009b31mred\u009b0m", "red"],
  ["cursor movements", "50%\u001b[2K\u001b[1G100%", "50%100%"],
  ["a title", "\u001b]0;a title\u0007text", "text"],
  ["a link", "\u001b]8;;https://example.org\u001b\\text\u001b]8;;\u001b\\", "text"],
  ["a change of the character set", "\u001b(Btext", "text"],
  ["text without any", "größer; [31m #?", "größer; [31m #?"],
])("stripping removes %s", (_, printed, expected) => {
  expect(stripEscapes(printed)).toBe(expected);
});

test("stripping twice the text takes no longer than a few times as much, whatever it is", () => {
  const elapsed = (text: string) => {
    const since = threadTimeMs();
    stripEscapes(text);
    return threadTimeMs() - since;
  };
  // The first of them takes `stripVTControlCharacters` 500 ms for 16 KB, and so two hours for this.
  for (const piece of [";#", "[;a", "]a;", "\u001b", "\u001b[", "\u001b]", "0;", "\u001b[0 ", "P", "\u009d"])
    expect(elapsed(`\u001b${piece.repeat(1_000_000)}`), JSON.stringify(piece)).toBeLessThan(5_000);
});
