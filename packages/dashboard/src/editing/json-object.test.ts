import { expect, test } from "vitest";
import { isSameJson, valueAt, withValueAt } from "./json-object.ts";

test("setting a nested field keeps the others", () => {
  const before = { name: "a", hooks: { on_result: { $ref: "x" } } };
  const after = withValueAt(before, "hooks.on_run_start.type", "http");
  expect(after).toEqual({ name: "a", hooks: { on_result: { $ref: "x" }, on_run_start: { type: "http" } } });
  expect(valueAt(after, "hooks.on_run_start.type")).toBe("http");
  expect(before.hooks).toEqual({ on_result: { $ref: "x" } });
});

test("removing a field removes objects that become empty", () => {
  expect(
    withValueAt({ name: "a", hooks: { on_result: { $ref: "x" } } }, "hooks.on_result", undefined),
  ).toEqual({
    name: "a",
  });
});

test("a changed field keeps its position", () => {
  expect(Object.keys(withValueAt({ name: "a", type: "b", tags: [] }, "type", "c"))).toEqual([
    "name",
    "type",
    "tags",
  ]);
});

test("two objects are equal in any order of fields, but not of list items", () => {
  expect(isSameJson({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true);
  expect(isSameJson({ a: 1, b: undefined }, { a: 1 })).toBe(true);
  expect(isSameJson([1, 2], [2, 1])).toBe(false);
});
