import * as nodes from "node:crypto";
import { expect, test } from "vitest";
import { createHash } from "./quick-crypto.ts";

const digest = (text: string) => nodes.createHash("sha256").update(text).digest("hex");

test("hashes texts of every length up to three blocks, and of every character, as Node does", () => {
  for (let length = 0; length < 200; length++) {
    const text = "a".repeat(length);
    expect(createHash("sha256").update(text).digest("hex")).toBe(digest(text));
  }
  // Half characters too, which become the sign for what cannot be read.
  for (let code = 0; code < 0x11_0000; code += 257) {
    const text = String.fromCodePoint(code).repeat(code % 37);
    expect(createHash("sha256").update(text).digest("hex")).toBe(digest(text));
  }
  for (const text of ["é".repeat(2_048), "é".repeat(2_049)])
    expect(createHash("sha256").update(text).digest("hex")).toBe(digest(text));
});

test("hashes nothing, several pieces and bytes as Node does", () => {
  expect(createHash("sha256").digest("hex")).toBe(digest(""));
  expect(createHash("sha256").update("one").update("\0two").digest("hex")).toBe(digest("one\0two"));
  expect(createHash("sha256").update(Buffer.from("bytes")).digest("hex")).toBe(digest("bytes"));
});

test("hashes pieces that are added by statements of their own as Node does", () => {
  for (const pieces of [
    ["one"],
    ["one", "two"],
    ["", "two"],
    [Buffer.from("one"), "two"],
    ["é".repeat(2_049), "x"],
  ]) {
    const [hash, expected] = [createHash("sha256"), nodes.createHash("sha256")];
    for (const piece of pieces) {
      hash.update(piece);
      expected.update(piece);
    }
    expect(hash.digest("hex")).toBe(expected.digest("hex"));
  }
});
