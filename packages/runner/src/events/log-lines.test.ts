import { expect, test } from "vitest";
import { threadTimeMs } from "../../../engine/src/match/thread-time.ts";
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
  expect(lines).toEqual([
    ...Array.from({ length: 5_000 }, () => "line"),
    "… (75000 bytes were left out here)",
  ]);
});

test("a program that pauses may print again, from the next whole line on", async () => {
  const lines: string[] = [];
  const log = new LogLines((line) => lines.push(line));
  log.add(Buffer.from(`${"line\n".repeat(5_000)}left out\nhalf a `));
  await expect
    .poll(() => {
      log.add(Buffer.from("line\nagain\n"));
      return lines.length;
    })
    .toBeGreaterThan(5_001);
  const [note, ...rest] = lines.slice(5_000);
  expect(note).toMatch(/^… \(\d+ bytes were left out here\)$/);
  // Never "half a line", whichever of them was printed first.
  expect(["line", "again"]).toEqual(expect.arrayContaining(rest));
});

test("a line that is cut says how much of it is missing", () => {
  expect(linesOf("ä".repeat(2_001), "\nnext\n")).toEqual([`${"ä".repeat(2_000)}… (2 more bytes)`, "next"]);
  expect(linesOf("x".repeat(3_000), "y".repeat(10_000_000))[0]).toMatch(/^x{2000}… \(10001000 more bytes\)$/);
});

// What a program may print without end. 64 MB are more than it can print before it is ended.
test.each([
  ["short lines", "y\n"],
  ["empty lines", "\n"],
  ["lines of spaces", "   \r\n"],
  ["one line", "y"],
  ["long lines", `${"y".repeat(70_000)}\n`],
  ["colours", "\u001b[31my\u001b[0m\n"],
  ["escape sequences without an end", `\u001b${";#".repeat(8_000)}\n`],
  ["progress bars", "\u001b[2K50%\r"],
  ["JSON", `{"type":"log","data":{"source":"stderr","text":"y"}}\n`],
  ["bytes that are not text", Buffer.from([0xff, 0xfe, 0, 0x80, 0xed, 0xa0, 0x80, 10])],
])("64 MB of %s are read in a moment", (_, piece) => {
  const bytes = Buffer.from(piece);
  const chunk = Buffer.concat(Array.from({ length: Math.ceil(65_536 / bytes.length) }, () => bytes));
  let reported = 0;
  const log = new LogLines(() => reported++);
  const since = threadTimeMs();
  for (let printed = 0; printed < 64e6; printed += chunk.length) log.add(chunk);
  log.end();
  expect(reported).toBeLessThanOrEqual(10_000);
  expect(threadTimeMs() - since).toBeLessThan(4_000);
});

test("the end of the log is kept for the error", () => {
  const log = new LogLines(() => {});
  log.add(Buffer.from("x".repeat(10_000)));
  log.add(Buffer.from("\nthe last words\n"));
  expect(log.tail).toMatch(/bytes before this.*the last words$/s);
});
