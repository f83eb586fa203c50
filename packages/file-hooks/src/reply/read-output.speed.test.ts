import { expect, test } from "vitest";
import { threadTimeMs } from "../../../engine/src/match/thread-time.ts";
import { readOutput } from "./read-reply.ts";

const MEBIBYTE = 1024 * 1024;

test.each(
  [
    "{",
    "[",
    "[]",
    '{"',
    '["a',
    '{"a":',
    '{"\\"',
    "\\u0064",
    '{"decision":"allow"}',
    '{"decision":"deny",}',
    `"decision${" ".repeat(200)}`,
    `{${" ".repeat(39)}decision`,
    '\\\\\\\\"',
    "\u001b[1;2;3",
    "\u001b]aaaa",
    "[1,",
  ].map((unit) => [unit] as const),
)("a mebibyte of %j is read in linear time", (unit) => {
  const text = unit.repeat(Math.floor(MEBIBYTE / unit.length));
  const startedAt = threadTimeMs();
  readOutput({ text, isUtf16: false });
  // It takes a tenth of that; anything quadratic would take minutes.
  expect(threadTimeMs() - startedAt).toBeLessThan(3_000);
});
