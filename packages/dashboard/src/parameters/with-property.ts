import type { JsonObject } from "../editing/json-object.ts";

/** An object with one property set, or without it when the value is `undefined`. A changed property keeps its position. */
export function withProperty(object: JsonObject, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _old, ...rest } = object;
  return value === undefined ? rest : { ...object, [name]: value };
}
