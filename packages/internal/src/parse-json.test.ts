import fc from "fast-check";
import { expect, test } from "vitest";
import { JSON_LIMITS, parseJson } from "./json.ts";

const deep = (levels: number) => `${'{"a":['.repeat(levels / 2)}${"]}".repeat(levels / 2)}`;

test("a text within the limits is what JSON.parse makes of it", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      expect(parseJson(text, "it")).toEqual(JSON.parse(text));
    }),
  );
  expect(() => parseJson(deep(JSON_LIMITS.depth), "it")).not.toThrow();
});

test("a text that is nested too deep is refused with its depth and the path", () => {
  expect(() => parseJson(deep(4_200), "the hook's answer")).toThrowError(
    expect.objectContaining({
      code: "json_limit",
      message: "the hook's answer is nested deeper than 200 levels: it has 4200 levels, at character 12599.",
    }),
  );
});

test("a text that is too long is refused before it is parsed", () => {
  const text = "[".repeat(JSON_LIMITS.bytes + 1);
  expect(() => parseJson(text, "it")).toThrowError(expect.objectContaining({ code: "json_limit" }));
});

test("brackets inside of strings are text, also after escaped quotes and backslashes", () => {
  const texts = [
    "[".repeat(500),
    `"${"{".repeat(500)}`,
    `\\"${"[".repeat(500)}\\\\`,
    `\\${"[".repeat(500)}\\`,
  ];
  for (const text of texts)
    expect(parseJson(JSON.stringify({ [text]: text }), "it")).toEqual({ [text]: text });
});

test("what is not JSON is a SyntaxError, however it is nested", () => {
  for (const text of ["", "{", '"open', "]]]", '{"a":[}', "\\"]) {
    expect(() => parseJson(text, "it")).toThrow(SyntaxError);
  }
});
