import { expect, test } from "vitest";
import { schemaShape } from "./schema-shape.ts";

test.each([
  {},
  { type: "object", required: ["a"], properties: { a: { type: ["string", "null"] }, b: true } },
  { $ref: "#/$defs/a", $defs: { a: { enum: [1, 2] } } },
  {
    anyOf: [
      { type: "string", pattern: "^a+$" },
      { type: "array", items: { minimum: 1.5 } },
    ],
  },
  { type: "object", additionalProperties: false },
])("the editor accepts %j", (schema) => expect(schemaShape(schema)).toBeUndefined());

test.each([
  [{ type: "text" }, /^type cannot be "text"/],
  [{ properties: { a: { type: "strin" } } }, /^properties\.a: type cannot be "strin"/],
  [{ required: "a" }, /^required must be a list/],
  [{ required: ["a", "a"] }, /different/],
  [{ properties: [] }, /^properties must be an object/],
  [{ properties: { a: "string" } }, /^properties\.a must be an object/],
  [{ items: { pattern: "(" } }, /^items: pattern must be a regular expression/],
  [{ anyOf: [] }, /^anyOf must be a list/],
  [{ minLength: -1 }, /^minLength must be/],
  [{ minimum: "1" }, /^minimum must be a number/],
  [[], /must be an object/],
  [true, /must be an object/],
])("the editor rejects %j with a reason", (schema, why) => expect(schemaShape(schema)).toMatch(why));
