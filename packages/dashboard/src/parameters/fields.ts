import { isRecord, ownField } from "@tenterhook/internal";
import type { JsonObject } from "../editing/json-object.ts";

interface Common {
  /** The name of the property; items of a list have the name of the list. */
  readonly name: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly placeholder: string | undefined;
  /** The default or constant of the schema; `undefined` when it has none. */
  readonly preset: unknown;
}

export interface TextField extends Common {
  readonly type: "text";
  readonly isLong: boolean;
  readonly format: string | undefined;
  readonly maxLength: number | undefined;
}
export interface ChoiceField extends Common {
  readonly type: "choice";
  readonly options: readonly unknown[];
}
export interface NumberField extends Common {
  readonly type: "number";
  readonly isInteger: boolean;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly step: number | undefined;
}
export interface SwitchField extends Common {
  readonly type: "switch";
}
export interface ListField extends Common {
  readonly type: "list";
  readonly item: ScalarField;
}
export interface GroupField extends Common {
  readonly type: "group";
  readonly fields: readonly Field[];
}
/** A value that has no form; it is edited as JSON. */
export interface JsonValueField extends Common {
  readonly type: "json";
}

export type ScalarField = TextField | ChoiceField | NumberField | SwitchField;
export type Field = ScalarField | ListField | GroupField | JsonValueField;

/** Deeper values are edited as JSON, which is easier to read than nested boxes. */
const MAX_DEPTH = 4;
const LONG_TEXT = 200;
const LONG_FORMATS = new Set(["textarea", "multiline", "markdown", "html", "code"]);

/** The fields of a form for a JSON Schema; `undefined` when the whole can only be written as JSON. */
export function fieldsOf(schema: JsonObject | undefined, depth = 0): readonly Field[] | undefined {
  if (schema === undefined || !isRecord(schema.properties) || readTypes(schema).join() !== "object")
    return undefined;
  if ("$ref" in schema || depth > MAX_DEPTH) return undefined;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fields = Object.entries(schema.properties).map(([name, property]) =>
    readField(name, isRecord(property) ? property : {}, required.has(name), depth),
  );
  // The order of properties may be lost in the store; show required fields first.
  return [
    ...fields.filter(({ isRequired }) => isRequired),
    ...fields.filter(({ isRequired }) => !isRequired),
  ];
}

function readField(name: string, schema: JsonObject, isRequired: boolean, depth: number): Field {
  const common: Common = {
    name,
    label: textIn(schema.title) ?? name,
    description: textIn(schema.description),
    isRequired,
    isNullable: isNullable(schema),
    placeholder: findExample(schema),
    preset: "const" in schema ? schema.const : schema.default,
  };
  const scalar = readScalar(common, schema);
  if (scalar !== undefined) return scalar;
  const [type, ...others] = readTypes(schema);
  if (others.length > 0 || isCombined(schema)) return { ...common, type: "json" };
  if (type === "array" && isRecord(schema.items) && !("prefixItems" in schema)) {
    const item = readScalar(
      {
        ...common,
        label: `${common.label} item`,
        isRequired: true,
        isNullable: false,
        placeholder: findExample(schema.items),
        preset: schema.items.default,
      },
      schema.items,
    );
    if (item !== undefined) return { ...common, type: "list", item };
  }
  const fields = type === "object" ? fieldsOf(schema, depth + 1) : undefined;
  return fields === undefined ? { ...common, type: "json" } : { ...common, type: "group", fields };
}

function readScalar(common: Common, schema: JsonObject): ScalarField | undefined {
  if (isCombined(schema)) return undefined;
  const options = "const" in schema ? [schema.const] : schema.enum;
  if (
    Array.isArray(options) &&
    options.length > 0 &&
    options.every((each) => !isRecord(each) && !Array.isArray(each))
  )
    return { ...common, type: "choice", options };
  const [type, ...others] = readTypes(schema);
  if (others.length > 0) return undefined;
  switch (type) {
    case "string":
      return {
        ...common,
        type: "text",
        isLong:
          (numberIn(schema.maxLength) ?? 0) > LONG_TEXT || LONG_FORMATS.has(textIn(schema.format) ?? ""),
        format: textIn(schema.format),
        maxLength: numberIn(schema.maxLength),
      };
    case "integer":
    case "number":
      return {
        ...common,
        type: "number",
        isInteger: type === "integer",
        min: numberIn(schema.minimum),
        max: numberIn(schema.maximum),
        step: numberIn(schema.multipleOf),
      };
    case "boolean":
      return { ...common, type: "switch" };
    default:
      return undefined;
  }
}

/** Whether the schema combines several schemas, which a form cannot show. */
function isCombined(schema: JsonObject): boolean {
  return ["$ref", "$dynamicRef", "oneOf", "anyOf", "allOf", "not", "if"].some((keyword) => keyword in schema);
}

/** The types that a value may have, except `null`. */
function readTypes({ type, properties }: JsonObject): readonly string[] {
  const types = Array.isArray(type) ? type : [type];
  const named = types.filter((each): each is string => typeof each === "string" && each !== "null");
  // A schema with properties often omits its type.
  return named.length === 0 && isRecord(properties) ? ["object"] : named;
}

function isNullable({ type, enum: options }: JsonObject): boolean {
  return Array.isArray(options) ? options.includes(null) : Array.isArray(type) && type.includes("null");
}

function findExample({ examples, format }: JsonObject): string | undefined {
  const [example] = Array.isArray(examples) ? examples : [];
  if (example !== undefined) return typeof example === "string" ? example : JSON.stringify(example);
  return ownField(FORMAT_EXAMPLES, textIn(format) ?? "");
}

const FORMAT_EXAMPLES: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T12:00:00Z",
  date: "2026-01-31",
  time: "12:00:00Z",
  email: "name@example.com",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
