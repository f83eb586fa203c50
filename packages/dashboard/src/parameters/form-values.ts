import type { Field } from "./fields.ts";
import { isObject, type JsonObject, withProperty } from "./json-values.ts";

/** What a form begins with: what the schema presets, and what must be there and can only be one thing. */
export function firstValues(fields: readonly Field[]): Record<string, unknown> {
  return fields.reduce<Record<string, unknown>>(
    (values, field) => withProperty(values, field.name, firstValue(field)),
    {},
  );
}

function firstValue(field: Field): unknown {
  if (field.preset !== undefined) return field.preset;
  if (field.type === "group") {
    const inner = firstValues(field.fields);
    return field.isRequired || Object.keys(inner).length > 0 ? inner : undefined;
  }
  if (!field.isRequired) return undefined;
  if (field.isNullable) return null;
  // A switch that is off looks like an answer, so it is one.
  if (field.type === "switch") return false;
  return field.type === "list" ? [] : undefined;
}

/** What it means that somebody has emptied a field. */
export function emptied(field: Field): unknown {
  return field.isRequired && field.isNullable ? null : undefined;
}

/** A group as it is after one of its fields has changed; one that nothing is left of is not sent, unless it must be. */
export function changedGroup(
  group: JsonObject,
  name: string,
  value: unknown,
  isRequired: boolean,
): JsonObject | undefined {
  const changed = withProperty(group, name, value);
  return Object.keys(changed).length === 0 && !isRequired ? undefined : changed;
}

/** A place in the parameters: `["filter", "tags", "0"]`. */
export type Path = readonly string[];

export interface Misfit {
  readonly path: Path;
  readonly message: string;
}

/** What is plainly wrong with some values. Whatever else a schema says, the coordinator knows better. */
export function misfitsOf(fields: readonly Field[], values: JsonObject, path: Path = []): readonly Misfit[] {
  return fields.flatMap((field) => misfitsOfField(field, values[field.name], [...path, field.name]));
}

function misfitsOfField(field: Field, value: unknown, path: Path): readonly Misfit[] {
  if (value === undefined) return field.isRequired ? [{ path, message: "This is needed." }] : [];
  if (value === null) return [];
  switch (field.type) {
    case "group":
      return isObject(value)
        ? misfitsOf(field.fields, value, path)
        : [{ path, message: "This must be an object." }];
    case "list":
      if (!Array.isArray(value)) return [{ path, message: "This must be a list." }];
      return value.flatMap((item, index) =>
        misfitsOfField(field.item, item === null ? undefined : item, [...path, String(index)]),
      );
    case "number":
      return numberMisfit(field, value).map((message) => ({ path, message }));
    case "text":
      return field.maxLength !== undefined && String(value).length > field.maxLength
        ? [{ path, message: `This is longer than ${field.maxLength} characters.` }]
        : [];
    case "choice":
    case "switch":
    case "json":
      return [];
  }
}

function numberMisfit(
  { min, max, isInteger }: Field & { readonly type: "number" },
  value: unknown,
): readonly string[] {
  if (typeof value !== "number") return ["This must be a number."];
  if (isInteger && !Number.isInteger(value)) return ["This must be a whole number."];
  if (min !== undefined && value < min) return [`This must be ${min} or more.`];
  if (max !== undefined && value > max) return [`This must be ${max} or less.`];
  return [];
}
