import { expect, test } from "vitest";
import { ClippedOutput } from "./shell.ts";

function clipped(limit: number, ...chunks: (string | Buffer)[]): string {
  const output = new ClippedOutput(limit);
  for (const chunk of chunks) output.add(Buffer.from(chunk as string));
  return String(output);
}

test("what fits is kept as it is, however it comes", () => {
  expect(clipped(10, "0123456789")).toBe("0123456789");
  expect(clipped(10, "012", "", "3456", "789")).toBe("0123456789");
  expect(clipped(10, ..."0123456789")).toBe("0123456789");
  expect(clipped(10)).toBe("");
  expect(clipped(10, " \n a \n")).toBe(" \n a \n");
});

test("of long output the two ends are kept, with a note on the dropped bytes", () => {
  const expected = "01234\n… (6 bytes left out here) …\nbcdef";
  expect(clipped(10, "0123456789abcdef")).toBe(expected);
  expect(clipped(10, ..."0123456789abcdef")).toBe(expected);
  expect(clipped(10, "0", "123456789abcde", "f")).toBe(expected);
  expect(clipped(1, "abc")).toBe("a\n… (2 bytes left out here) …\n");
});

test("characters that a cut goes through are left out", () => {
  expect(clipped(8, "aäää", "x".repeat(10), "ääba")).toMatch(/^aä\n… \(\d+ bytes left out here\) …\näba$/);
});

test("a character that arrives in two parts is one", () => {
  const bytes = Buffer.from("ä");
  expect(clipped(10, bytes.subarray(0, 1), bytes.subarray(1))).toBe("ä");
  expect(clipped(2, bytes.subarray(0, 1), bytes.subarray(1))).toBe("ä");
});

test("colours are taken out", () => {
  expect(clipped(50, "\u001b[31mred\u001b[0m")).toBe("red");
});

test("an output without end takes no more room than is kept", () => {
  const output = new ClippedOutput(1_000);
  for (let count = 0; count < 10_000; count++) output.add(Buffer.alloc(1_000, "x"));
  expect(String(output)).toBe(`${"x".repeat(500)}\n… (9999000 bytes left out here) …\n${"x".repeat(500)}`);
});
