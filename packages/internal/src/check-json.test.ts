import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkJson, isJsonLimit, JSON_DOCUMENT_LIMITS, JSON_LIMITS, type JsonLimits } from "./json.ts";

function nested(levels: number): unknown {
  let value: unknown = "core";
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

function refusal(value: unknown, limits?: JsonLimits): string | undefined {
  try {
    checkJson(value, "the tool's input", limits);
    return undefined;
  } catch (error) {
    if (!isJsonLimit(error)) throw error;
    return error.message;
  }
}

describe("depth", () => {
  test("as many levels as the limit pass, one more is refused with its path", () => {
    expect(refusal(nested(JSON_LIMITS.depth))).toBeUndefined();
    expect(refusal(nested(JSON_LIMITS.depth + 1))).toBe(
      "the tool's input is nested deeper than 200 levels: it continues at [0].a[0].a[0].a[0].a….",
    );
  });

  test("any depth is measured, without a stack of that size", () => {
    expect(refusal(nested(1_000_000))).toContain("deeper than 200 levels");
  });

  test("a value that contains itself is refused, and the error says so", () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = [cyclic];
    expect(refusal(cyclic)).toContain("it contains itself");
  });

  test("a value that occurs twice is not taken for one that contains itself", () => {
    const shared = { a: 1 };
    expect(refusal([shared, shared])).toBeUndefined();
  });

  test("a document may be a few levels deeper than what it carries", () => {
    expect(
      refusal({ lease: "x", events: [nested(JSON_LIMITS.depth)] }, JSON_DOCUMENT_LIMITS),
    ).toBeUndefined();
  });
});

describe("size", () => {
  test("is what the value takes as JSON: escapes count, and the error has the path", () => {
    const limits = { depth: 10, bytes: 100 };
    expect(refusal({ a: "x".repeat(91) }, limits)).toBeUndefined();
    expect(refusal({ a: { "b c": "\u0001".repeat(20) } }, limits)).toBe(
      'the tool\'s input is longer than 100 bytes: it continues at .a["b c"].',
    );
  });

  test("values that share their parts are measured as they would be written", () => {
    let value: unknown = "core";
    for (let level = 0; level < 60; level++) value = [value, value];
    expect(refusal(value, { depth: 100, bytes: 1_000_000 })).toContain("longer than");
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("%s is as long as the null that JSON writes", (value) => {
    expect(refusal(value, { depth: 10, bytes: 4 })).toBeUndefined();
    expect(refusal(value, { depth: 10, bytes: 3 })).toContain("longer than");
  });

  const anything = fc.anything({ withDate: true, withUnicodeString: true, maxDepth: 4 });

  test("is never below the length of the JSON, and above it at most twice of it", () => {
    fc.assert(
      fc.property(anything, (value) => {
        const json = JSON.stringify(value);
        if (json === undefined) return;
        const bytes = Buffer.byteLength(json);
        expect(refusal(value, { depth: 10, bytes: 2 * bytes + 10 })).toBeUndefined();
        expect(refusal(value, { depth: 10, bytes: bytes - 1 })).toContain("longer than");
      }),
    );
  });
});
