import { isRecord, ownField } from "@tenterhook/internal";
import { countText } from "../components/count-text.ts";
import type { JsonObject } from "../editing/json-object.ts";
import type { Field } from "./fields.ts";
import { withProperty } from "./with-property.ts";

/** The initial values of a form: defaults, and required values that have only one possible value. */
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
  // A switch that is off looks answered, so it counts as false.
  if (field.type === "switch") return false;
  return field.type === "list" ? [] : undefined;
}

/** The value of a field that was emptied. */
export function emptied(field: Field): unknown {
  return field.isRequired && field.isNullable ? null : undefined;
}

/** The group after one of its fields changed; an empty group is left out unless it is required. */
export function changedGroup(
  group: JsonObject,
  name: string,
  value: unknown,
  isRequired: boolean,
): JsonObject | undefined {
  const changed = withProperty(group, name, value);
  return Object.keys(changed).length === 0 && !isRequired ? undefined : changed;
}

/** A path in the parameters: `["filter", "tags", "0"]`. */
export type Path = readonly string[];

export interface FieldError {
  readonly path: Path;
  readonly message: string;
}

/** Errors that the form can detect. The coordinator checks the rest of the schema. */
export function fieldErrors(
  fields: readonly Field[],
  values: JsonObject,
  path: Path = [],
): readonly FieldError[] {
  return fields.flatMap((field) => errorsOfField(field, ownField(values, field.name), [...path, field.name]));
}

function errorsOfField(field: Field, value: unknown, path: Path): readonly FieldError[] {
  if (value === undefined) return field.isRequired ? [{ path, message: "Required." }] : [];
  if (value === null) return [];
  switch (field.type) {
    case "group":
      return isRecord(value)
        ? fieldErrors(field.fields, value, path)
        : [{ path, message: "Must be an object." }];
    case "list":
      if (!Array.isArray(value)) return [{ path, message: "Must be a list." }];
      return value.flatMap((item, index) =>
        errorsOfField(field.item, item === null ? undefined : item, [...path, String(index)]),
      );
    case "number":
      return numberErrors(field, value).map((message) => ({ path, message }));
    case "text":
      return field.maxLength !== undefined && String(value).length > field.maxLength
        ? [{ path, message: `Must not be longer than ${countText(field.maxLength, "character")}.` }]
        : [];
    case "choice":
    case "switch":
    case "json":
      return [];
  }
}

function numberErrors(
  { min, max, isInteger }: Field & { readonly type: "number" },
  value: unknown,
): readonly string[] {
  if (typeof value !== "number") return ["Must be a number."];
  if (isInteger && !Number.isInteger(value)) return ["Must be a whole number."];
  if (min !== undefined && value < min) return [`Must be ${min} or more.`];
  if (max !== undefined && value > max) return [`Must be ${max} or less.`];
  return [];
}
