import { isRecord } from "@tenterhook/internal";

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];
const SCHEMAS_BY_NAME = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const LISTS_OF_SCHEMAS = ["allOf", "anyOf", "oneOf", "prefixItems"];
const ONE_SCHEMA = [
  ...["items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else"],
  ...["unevaluatedItems", "unevaluatedProperties"],
];
const COUNTS = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
const NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/**
 * The first mistake that the page can find in a JSON Schema, with its path. The coordinator compiles the schema and decides;
 * this check only reports typing mistakes early.
 */
export function schemaShape(schema: unknown, at = ""): string | undefined {
  if (typeof schema === "boolean" && at !== "") return undefined;
  const wrong = (key: string, message: string) => `${at === "" ? "" : `${at}: `}${key} ${message}`;
  if (!isRecord(schema)) return `${at === "" ? "A JSON Schema" : at} must be an object`;
  const { type, required, pattern } = schema;
  if (type !== undefined) {
    const names: readonly unknown[] = Array.isArray(type) ? type : [type];
    const unknown = names.find((name) => !TYPES.includes(name as string));
    if (unknown !== undefined)
      return wrong("type", `cannot be ${JSON.stringify(unknown)}; it is ${TYPES.join(", ")}`);
    if (names.length === 0) return wrong("type", "must name a type");
  }
  if (required !== undefined && !isListOfNames(required))
    return wrong("required", "must be a list of different names");
  if (schema.enum !== undefined && !Array.isArray(schema.enum)) return wrong("enum", "must be a list");
  if (pattern !== undefined && !isPattern(pattern)) return wrong("pattern", "must be a regular expression");
  for (const key of COUNTS) {
    const count = schema[key];
    if (count !== undefined && !(Number.isInteger(count) && Number(count) >= 0)) {
      return wrong(key, "must be a whole number, 0 or more");
    }
  }
  for (const key of NUMBERS) {
    if (schema[key] !== undefined && typeof schema[key] !== "number") return wrong(key, "must be a number");
  }
  return inner(schema, at, wrong);
}

function inner(
  schema: Readonly<Record<string, unknown>>,
  at: string,
  wrong: (key: string, message: string) => string,
): string | undefined {
  const below = (...keys: readonly string[]) => [...(at === "" ? [] : [at]), ...keys].join(".");
  for (const key of ONE_SCHEMA) {
    const problem = schema[key] === undefined ? undefined : schemaShape(schema[key], below(key));
    if (problem !== undefined) return problem;
  }
  for (const key of SCHEMAS_BY_NAME) {
    const named = schema[key];
    if (named === undefined) continue;
    if (!isRecord(named)) return wrong(key, "must be an object of schemas by name");
    for (const [name, each] of Object.entries(named)) {
      const problem = schemaShape(each, below(key, name));
      if (problem !== undefined) return problem;
    }
  }
  for (const key of LISTS_OF_SCHEMAS) {
    const list = schema[key];
    if (list === undefined) continue;
    if (!Array.isArray(list) || list.length === 0) return wrong(key, "must be a list of schemas");
    for (const [index, each] of list.entries()) {
      const problem = schemaShape(each, below(key, String(index)));
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function isListOfNames(value: unknown): boolean {
  if (!Array.isArray(value) || value.some((name) => typeof name !== "string")) return false;
  return new Set(value).size === value.length;
}

function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    new RegExp(value, "u");
    return true;
  } catch {
    return false;
  }
}
