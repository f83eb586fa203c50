import { expect, test } from "vitest";
import { fieldsOf } from "./fields.ts";
import { changedGroup, emptied, fieldErrors, firstValues } from "./form-values.ts";
import { problemPath } from "./problem-path.ts";
import { withProperty } from "./with-property.ts";

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

test("a form starts with defaults and with required values that have one possible value", () => {
  expect(firstValues(fields)).toEqual({ isUrgent: false, note: null, pages: 2, filter: {} });
});

test("missing required fields are reported, also in groups that are present", () => {
  expect(fieldErrors(fields, firstValues(fields)).map(({ path }) => path.join("."))).toEqual([
    "report",
    "filter.from",
  ]);
  expect(
    fieldErrors(fields, { report: "Q3", isUrgent: true, note: "", filter: { from: "a" }, extra: { b: "x" } }),
  ).toEqual([{ path: ["extra", "a"], message: "Required." }]);
});

const fitting = { report: "Q3", isUrgent: true, note: null, filter: { from: "a" } };

test.each([
  [{ pages: 0 }, "pages: Must be 1 or more."],
  [{ pages: 10 }, "pages: Must be 9 or less."],
  [{ pages: 1.5 }, "pages: Must be a whole number."],
  [{ pages: "two" }, "pages: Must be a number."],
  [{ report: "too long" }, "report: Must not be longer than 5 characters."],
  [{ tags: ["a", null] }, "tags.1: Required."],
  [{ tags: "a" }, "tags: Must be a list."],
  [{ filter: 1 }, "filter: Must be an object."],
])("the form rejects %o with a message", (wrong, message) => {
  expect(
    fieldErrors(fields, { ...fitting, ...wrong }).map((error) => `${error.path.join(".")}: ${error.message}`),
  ).toEqual([message]);
});

test("the form accepts valid values, also of fields that the form does not know", () => {
  expect(fieldErrors(fields, { ...fitting, more: 1, any: { thing: true } })).toEqual([]);
});

test("an emptied field is left out, or null if it is required", () => {
  const [report, note] = ["report", "note"].map((name) => fields.find((field) => field.name === name));
  expect(report && emptied(report)).toBeUndefined();
  expect(note && emptied(note)).toBeNull();
});

test("an empty group is left out, unless it is required", () => {
  expect(changedGroup({ a: "x" }, "a", undefined, false)).toBeUndefined();
  expect(changedGroup({ a: "x" }, "a", undefined, true)).toEqual({});
  expect(changedGroup({ a: "x", b: "y" }, "a", undefined, false)).toEqual({ b: "y" });
  expect(changedGroup({}, "a", "x", false)).toEqual({ a: "x" });
});

test("a changed property keeps its position", () => {
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
])("an error about %s is shown at the nearest field", (field, path) => {
  expect(problemPath(fields, field)).toEqual(path);
});
