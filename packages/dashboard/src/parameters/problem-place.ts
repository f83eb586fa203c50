import type { Field } from "./fields.ts";
import type { Path } from "./form-values.ts";

/**
 * The drawn field at which to say what the coordinator said of `parameters.filter.tags.0`: that one, or the nearest around
 * it. The empty path is the form as a whole.
 */
export function problemPlace(fields: readonly Field[], said: string | undefined): Path {
  const [, ...names] = said?.split(".") ?? [];
  return placeIn(fields, names);
}

function placeIn(fields: readonly Field[], [name, ...rest]: Path): Path {
  const field = fields.find((each) => each.name === name);
  if (name === undefined || field === undefined) return [];
  const [index] = rest;
  if (field.type === "group") return [name, ...placeIn(field.fields, rest)];
  if (field.type === "list" && index !== undefined) return [name, index];
  return [name];
}
