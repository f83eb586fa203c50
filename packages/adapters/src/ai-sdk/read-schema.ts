import { asSchema } from "ai";

/** The schemas of the SDK for those of libraries, such as Zod. */
const schemas = new WeakMap<object, unknown>();

/**
 * The schema of a tool in the form of the SDK, which would convert the schema of a library again for every step. Schemas of libraries
 * are not changed after they are made. All others stay as they are.
 */
export function readSchema(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null || !("~standard" in schema)) return schema;
  const known = schemas.get(schema);
  if (known !== undefined) return known;
  const converted = asSchema(schema as never);
  schemas.set(schema, converted);
  return converted;
}
