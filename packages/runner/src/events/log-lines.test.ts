import { expect, test } from "vitest";
import { LogLines } from "./log-lines.ts";

function told(...chunks: readonly (string | Buffer)[]): string[] {
  const lines: string[] = [];
  const log = new LogLines((line) => lines.push(line));
  for (const chunk of chunks) log.add(Buffer.from(chunk));
  log.end();
  return lines;
}

test("lines are told whole, however they come, and the last one without its end", () => {
  expect(told("one\ntw", "o\r\n\n  \nthree")).toEqual(["one", "two", "three"]);
});

test("a character that comes in two parts is one character, and colours are left out", () => {
  const smile = Buffer.from("😀");
  expect(told(smile.subarray(0, 2), smile.subarray(2), "\u001b[31m red\u001b[0m\n")).toEqual(["😀 red"]);
});

test("a line without end is cut, and so is a log without end", () => {
  expect(told("x".repeat(3_000), "y".repeat(10_000_000))[0]?.length).toBeLessThan(2_100);
  const lines = told("line\n".repeat(20_000));
  expect(lines).toHaveLength(10_001);
  expect(lines.at(-1)).toBe("… (the rest is not told)");
});

test("the end of everything is kept for the error", () => {
  const log = new LogLines(() => {});
  log.add(Buffer.from("x".repeat(10_000)));
  log.add(Buffer.from("\nthe last words\n"));
  expect(log.tail).toMatch(/bytes before this.*the last words$/s);
});
