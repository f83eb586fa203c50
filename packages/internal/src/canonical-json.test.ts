import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./json.ts";

test("keys are sorted at every depth, lists keep their order, and undefined fields are left out", () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }, 2], a: undefined, "a b": "x" })).toBe(
    '{"a b":"x","b":[{"c":null,"d":1},2]}',
  );
});

test("a key that is a number or __proto__ is a key like any other", () => {
  const text = '{"10":1,"9":2,"__proto__":{"b":1,"a":2}}';
  expect(canonicalJson(JSON.parse(text))).toBe('{"9":2,"10":1,"__proto__":{"a":2,"b":1}}');
});

test("the text does not depend on the order of keys, and stands for the same value", () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).reverse();
    return Object.fromEntries(entries.map(([key, item]) => [key, reversed(item)]));
  };
  fc.assert(
    fc.property(fc.jsonValue(), (one) => {
      expect(canonicalJson(reversed(one))).toBe(canonicalJson(one));
      expect(JSON.parse(canonicalJson(one))).toEqual(JSON.parse(JSON.stringify(one)));
    }),
  );
});
