import { expect, test } from "vitest";
import { fieldsOf } from "./fields.ts";
import { changedGroup, emptied, firstValues, misfitsOf } from "./form-values.ts";
import { withProperty } from "./json-values.ts";
import { problemPlace } from "./problem-place.ts";

const fields =
  fieldsOf({
    type: "object",
    required: ["report", "isUrgent", "filter", "note"],
    properties: {
      report: { type: "string", maxLength: 5 },
      isUrgent: { type: "boolean" },
      note: { type: ["string", "null"] },
      pages: { type: "integer", minimum: 1, maximum: 9, default: 2 },
      tags: { type: "array", items: { type: "string" } },
      filter: { type: "object", required: ["from"], properties: { from: { type: "string" } } },
      extra: {
        type: "object",
        required: ["a"],
        properties: { a: { type: "string" }, b: { type: "string" } },
      },
      any: { oneOf: [] },
    },
  }) ?? [];

test("a form begins with presets and with what can only be one thing", () => {
  expect(firstValues(fields)).toEqual({ isUrgent: false, note: null, pages: 2, filter: {} });
});

test("what is needed and missing is said at its place, in groups that are there as well", () => {
  expect(misfitsOf(fields, firstValues(fields)).map(({ path }) => path.join("."))).toEqual([
    "report",
    "filter.from",
  ]);
  expect(
    misfitsOf(fields, { report: "Q3", isUrgent: true, note: "", filter: { from: "a" }, extra: { b: "x" } }),
  ).toEqual([{ path: ["extra", "a"], message: "This is needed." }]);
});

const fitting = { report: "Q3", isUrgent: true, note: null, filter: { from: "a" } };

test.each([
  [{ pages: 0 }, "pages: This must be 1 or more."],
  [{ pages: 10 }, "pages: This must be 9 or less."],
  [{ pages: 1.5 }, "pages: This must be a whole number."],
  [{ pages: "two" }, "pages: This must be a number."],
  [{ report: "too long" }, "report: This is longer than 5 characters."],
  [{ tags: ["a", null] }, "tags.1: This is needed."],
  [{ tags: "a" }, "tags: This must be a list."],
  [{ filter: 1 }, "filter: This must be an object."],
])("%o does not fit, and why is said", (wrong, said) => {
  expect(
    misfitsOf(fields, { ...fitting, ...wrong }).map(({ path, message }) => `${path.join(".")}: ${message}`),
  ).toEqual([said]);
});

test("what fits has nothing to say, also with more than the form knows", () => {
  expect(misfitsOf(fields, { ...fitting, more: 1, any: { thing: true } })).toEqual([]);
});

test("an emptied field is not sent, or sent as null where it must be there", () => {
  const [report, note] = ["report", "note"].map((name) => fields.find((field) => field.name === name));
  expect(report && emptied(report)).toBeUndefined();
  expect(note && emptied(note)).toBeNull();
});

test("a group that nothing is left of is not sent, unless it must be", () => {
  expect(changedGroup({ a: "x" }, "a", undefined, false)).toBeUndefined();
  expect(changedGroup({ a: "x" }, "a", undefined, true)).toEqual({});
  expect(changedGroup({ a: "x", b: "y" }, "a", undefined, false)).toEqual({ b: "y" });
  expect(changedGroup({}, "a", "x", false)).toEqual({ a: "x" });
});

test("a property that changes stays in its place", () => {
  expect(Object.keys(withProperty({ a: 1, b: 2 }, "a", 3))).toEqual(["a", "b"]);
});

test.each([
  ["parameters.report", ["report"]],
  ["parameters.filter.from", ["filter", "from"]],
  ["parameters.filter.unknown", ["filter"]],
  ["parameters.tags.1", ["tags", "1"]],
  ["parameters.any.deep.inside", ["any"]],
  ["parameters.unknown", []],
  ["parameters", []],
  [undefined, []],
])("what is said of %s is said at the nearest field", (said, place) => {
  expect(problemPlace(fields, said)).toEqual(place);
});
