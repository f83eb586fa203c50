import { expect, test } from "vitest";
import { findViolation } from "./json-schema.ts";

const schema = {
  type: "object",
  required: ["name"],
  additionalProperties: false,
  properties: {
    name: { type: "string" },
    "a/b": { type: "integer" },
    items: { type: "array", items: { type: "object", required: ["id"] } },
  },
};

test.each([
  ["what is missing", {}, "value.name"],
  ["what has the wrong type", { name: 1 }, "value.name"],
  ["what is too much", { name: "n", more: 1 }, "value.more"],
  ["what is missing deep inside", { name: "n", items: [{ id: 1 }, {}] }, "value.items.1.id"],
  ["a name that a pointer would escape", { name: "n", "a/b": "x" }, "value.a/b"],
  ["the whole, when that is wrong", [], "value"],
])("%s is named as the field", (_, value, field) => {
  expect(findViolation(schema, value, "value")?.field).toBe(field);
});

test("what fits has no violation", () => {
  expect(findViolation(schema, { name: "n" }, "value")).toBeUndefined();
});

test("nothing fits a schema from before that cannot be used, and the error names the blueprint as what to fix", () => {
  const violation = findViolation({ pattern: "^(?!x)" }, "value", "parameters");
  expect(violation?.field).toBe("parameters");
  expect(violation?.text).toMatch(/the schema in the blueprint cannot be used; .*pattern: the pattern/);
});
