import type { Field } from "./fields.ts";
import type { Path } from "./form-values.ts";

/**
 * The path of the form field at which to show an error about `parameters.filter.tags.0`: that field, or the nearest enclosing
 * one. The empty path is the whole form.
 */
export function problemPath(fields: readonly Field[], field: string | undefined): Path {
  const [, ...names] = field?.split(".") ?? [];
  return pathIn(fields, names);
}

function pathIn(fields: readonly Field[], [name, ...rest]: Path): Path {
  const field = fields.find((each) => each.name === name);
  if (name === undefined || field === undefined) return [];
  const [index] = rest;
  if (field.type === "group") return [name, ...pathIn(field.fields, rest)];
  if (field.type === "list" && index !== undefined) return [name, index];
  return [name];
}
