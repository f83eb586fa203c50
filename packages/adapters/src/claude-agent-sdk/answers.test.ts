import { describe, expect, test } from "vitest";
import { fitOutput, isIgnored, redactOutput } from "./answers.ts";

const bash = { stdout: "a", stderr: "b", interrupted: false };
const read = { type: "text", file: { filePath: "/x", content: "a", numLines: 1 } };
const content = [{ type: "text", text: "a" }];

describe("fitOutput", () => {
  test("takes a value that has every field of the original, with its type", () => {
    expect(fitOutput({ ...bash, stdout: "c" }, bash)).toEqual({ ...bash, stdout: "c" });
    expect(fitOutput({ stdout: "c" }, bash)).toBeUndefined();
    expect(fitOutput({ ...bash, interrupted: "no" }, bash)).toBeUndefined();
    expect(fitOutput([{ type: "image" }], content)).toEqual([{ type: "image" }]);
  });

  test("puts a text where the tool has its text", () => {
    expect(fitOutput("c", content)).toEqual([{ type: "text", text: "c" }]);
    expect(fitOutput("c", bash)).toEqual({ ...bash, stdout: "c", stderr: "" });
    expect(fitOutput("c", read)).toEqual({ ...read, file: { ...read.file, content: "c" } });
    expect(fitOutput("c", { matches: ["a"] })).toBeUndefined();
    expect(fitOutput("c", "a")).toBe("c");
  });
});

describe("redactOutput", () => {
  test("replaces every text but those that distinguish shapes", () => {
    expect(redactOutput(read, "no")).toEqual({
      type: "text",
      file: { filePath: "no", content: "no", numLines: 1 },
    });
    expect(redactOutput(content, "no")).toEqual([{ type: "text", text: "no" }]);
    expect(redactOutput("a", "no")).toBe("no");
    expect(redactOutput({ names: ["a", "b"] }, "no")).toEqual({ names: ["no", "no"] });
  });
});

describe("isIgnored", () => {
  test("finds a line of the original that the replacement does not have, also with a line number", () => {
    const original = { file: { content: "first\nsecret" } };
    const replacement = { file: { content: "first\n****" } };
    expect(isIgnored(original, replacement, "1\tfirst\n2\tsecret")).toBe(true);
    expect(isIgnored(original, replacement, "1\tfirst\n2\t****")).toBe(false);
    expect(isIgnored({ content: "x" }, { content: "y" }, "The file was written, exactly.")).toBe(false);
  });
});
