import { expect, test } from "vitest";
import { LogLines } from "./log-lines.ts";

function linesOf(...chunks: readonly (string | Buffer)[]): string[] {
  const lines: string[] = [];
  const log = new LogLines((line) => lines.push(line));
  for (const chunk of chunks) log.add(Buffer.from(chunk));
  log.end();
  return lines;
}

test("lines are reported whole, however the chunks are cut, also a last one without its end", () => {
  expect(linesOf("one\ntw", "o\r\n\n  \nthree")).toEqual(["one", "two", "three"]);
});

test("a character that arrives in two parts is one character, and colours are left out", () => {
  const smile = Buffer.from("😀");
  expect(linesOf(smile.subarray(0, 2), smile.subarray(2), "\u001b[31m red\u001b[0m\n")).toEqual(["😀 red"]);
});

test("a line without end is cut, and so is a log without end", () => {
  expect(linesOf("x".repeat(3_000), "y".repeat(10_000_000))[0]?.length).toBeLessThan(2_100);
  const lines = linesOf("line\n".repeat(20_000));
  expect(lines).toHaveLength(10_001);
  expect(lines.at(-1)).toBe("… (further lines are left out)");
});

test("the end of the log is kept for the error", () => {
  const log = new LogLines(() => {});
  log.add(Buffer.from("x".repeat(10_000)));
  log.add(Buffer.from("\nthe last words\n"));
  expect(log.tail).toMatch(/bytes before this.*the last words$/s);
});
