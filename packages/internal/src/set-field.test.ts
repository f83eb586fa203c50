import { expect, test } from "vitest";
import { setField } from "./values.ts";

test.each(["a", "__proto__", "constructor", "toString"])("a field named %s is one like any other", (key) => {
  const target: Record<string, unknown> = {};
  setField(target, key, { isAdmin: true });
  expect(Object.entries(target)).toEqual([[key, { isAdmin: true }]]);
  expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
  setField(target, key, 2);
  expect(Object.entries(target)).toEqual([[key, 2]]);
  delete target[key];
  expect(Object.keys(target)).toEqual([]);
});
