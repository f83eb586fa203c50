export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object with one property set, or without it when that is `undefined`. */
export function withProperty(object: JsonObject, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _old, ...rest } = object;
  // In its old place, so that JSON that somebody looks at does not jump about.
  if (value === undefined) return rest;
  return { ...object, [name]: value };
}
