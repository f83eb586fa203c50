import { expect, test } from "vitest";
import { fieldsOf } from "./fields.ts";

const only = (property: unknown, required: readonly string[] = []) =>
  fieldsOf({ type: "object", required, properties: { it: property } })?.[0];

test.each([
  ["a string", { type: "string" }, { type: "text", isLong: false }],
  [
    "a string that may be long",
    { type: "string", maxLength: 4_000 },
    { type: "text", isLong: true, maxLength: 4_000 },
  ],
  ["a string whose format says so", { type: "string", format: "markdown" }, { type: "text", isLong: true }],
  ["a string that may be null", { type: ["string", "null"] }, { type: "text", isNullable: true }],
  ["an enum", { enum: ["a", 1, true] }, { type: "choice", options: ["a", 1, true] }],
  ["a constant", { const: 7 }, { type: "choice", options: [7], preset: 7 }],
  [
    "an integer with bounds",
    { type: "integer", minimum: 1, maximum: 9, multipleOf: 2 },
    { type: "number", isInteger: true, min: 1, max: 9, step: 2 },
  ],
  ["a number", { type: "number" }, { type: "number", isInteger: false }],
  ["a boolean", { type: "boolean" }, { type: "switch" }],
  [
    "a list of strings",
    { type: "array", items: { type: "string" } },
    { type: "list", item: { type: "text" } },
  ],
  [
    "an object",
    { type: "object", properties: { a: { type: "string" } } },
    { type: "group", fields: [{ type: "text", name: "a" }] },
  ],
  ["an object without a type", { properties: { a: { type: "string" } } }, { type: "group" }],
  ["an object of anything", { type: "object" }, { type: "json" }],
  ["a list of objects", { type: "array", items: { type: "object" } }, { type: "json" }],
  ["a tuple", { type: "array", prefixItems: [{ type: "string" }] }, { type: "json" }],
  ["one of several", { oneOf: [{ type: "string" }, { type: "number" }] }, { type: "json" }],
  ["a reference", { $ref: "#/$defs/a" }, { type: "json" }],
  ["several types", { type: ["string", "number"] }, { type: "json" }],
  ["a string with conditions", { type: "string", anyOf: [{ minLength: 1 }] }, { type: "json" }],
  ["anything", true, { type: "json" }],
])("%s has a suitable field", (_, property, field) => {
  expect(only(property)).toMatchObject(field);
});

test("the label is the title or the name; description and example come from the schema", () => {
  expect(
    only({ type: "string", title: "Report", description: "Which one", examples: ["Q3"], default: "Q1" }, [
      "it",
    ]),
  ).toMatchObject({
    label: "Report",
    description: "Which one",
    placeholder: "Q3",
    preset: "Q1",
    isRequired: true,
  });
  expect(only({ type: "string" })).toMatchObject({ label: "it", isRequired: false });
});

test("required fields come first", () => {
  const properties = { a: { type: "string" }, b: { type: "string" }, c: { type: "string" } };
  expect(fieldsOf({ required: ["c"], properties })?.map(({ name }) => name)).toEqual(["c", "a", "b"]);
});

test("a format without an example has a placeholder", () => {
  expect(only({ type: "string", format: "date-time" })?.placeholder).toBe("2026-01-31T12:00:00Z");
});

test.each([
  ["no schema", undefined],
  ["a schema without properties", { type: "object" }],
  ["a reference", { $ref: "#/$defs/a", properties: {} }],
  ["a list", { type: "array", properties: {} }],
])("%s has no form", (_, schema) => {
  expect(fieldsOf(schema)).toBeUndefined();
});

test("recursive schemas become a JSON field", () => {
  const deep: Record<string, unknown> = { type: "object", properties: {} };
  deep.properties = { it: deep };
  expect(JSON.stringify(fieldsOf(deep))).toContain('"type":"json"');
});
