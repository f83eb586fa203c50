import { expect, test } from "vitest";
import { checkedText, checksum, withChecksum } from "./files.ts";

test("a change of any one character of a text changes its checksum", () => {
  const text = "push --force é 😀";
  const changed = Array.from(text, (_, at) => `${text.slice(0, at)}~${text.slice(at + 1)}`);
  const sums = [text, ...changed, `${text}\0`, text.slice(1), "", "\0"].map(checksum);
  expect(new Set(sums).size).toBe(sums.length);
});

test("a text whose checksum, content or subject was changed is not accepted", () => {
  const stored = withChecksum("text", "about");
  expect(checkedText(stored, "about")).toBe("text");
  for (const changed of [
    "",
    "text",
    `${stored} `,
    stored.replace("x", "y"),
    stored.slice(1),
    `0${stored.slice(1)}`,
  ])
    expect(checkedText(changed, "about")).toBe(undefined);
  expect(checkedText(stored, "other")).toBe(undefined);
});
