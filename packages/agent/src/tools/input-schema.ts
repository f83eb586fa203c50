import { LONGEST_ERROR, messageOf, shortened, TenterhookError } from "@tenterhook/protocol";
import type { SchemaCheck } from "@tenterhook/protocol/validate";

/** A value that fits, as the schema reads it; or what is wrong with it. */
export type Checked = { readonly value: unknown } | { readonly problem: string };

/** A schema for people who do not care which library it came from. */
export interface InputSchema {
  /** For the model. */
  readonly jsonSchema: object;
  check(value: unknown): Promise<Checked>;
}

const EMPTY = { type: "object", properties: {}, additionalProperties: false } as const;

/** Reads zod, Standard Schema and AI SDK schemas, and plain JSON Schema. `whose` stands in the error about what is none. */
export async function readSchema(schema: unknown, whose: string): Promise<InputSchema> {
  if (schema === undefined) return jsonSchemaOf(EMPTY, whose);
  if (isPlainJsonSchema(schema)) return jsonSchemaOf(schema, whose);
  try {
    const { asSchema } = await import("ai");
    const read = asSchema(schema as Parameters<typeof asSchema>[0]);
    const jsonSchema = await read.jsonSchema;
    const { validate } = read;
    // The SDK's jsonSchema() without a validator promises nothing, so the schema itself is held to.
    if (validate === undefined) return jsonSchemaOf(jsonSchema, whose);
    return {
      jsonSchema,
      async check(value) {
        const result = await validate(value);
        return result.success
          ? { value: result.value }
          : { problem: shortened(messageOf(result.error), LONGEST_ERROR) };
      },
    };
  } catch (error) {
    throw badSchema(whose, error);
  }
}

function jsonSchemaOf(jsonSchema: object, whose: string): InputSchema {
  let fits: Promise<SchemaCheck> | undefined;
  return {
    jsonSchema,
    async check(value) {
      // Compiled when the first call comes: most tools of a run are never called.
      fits ??= compile(jsonSchema, whose);
      const misfit = (await fits)(value, "input");
      return misfit === undefined ? { value } : { problem: misfit.text };
    },
  };
}

async function compile(jsonSchema: object, whose: string): Promise<SchemaCheck> {
  const { compileSchema } = await import("@tenterhook/protocol/validate");
  try {
    // A tool of others may have a pattern that only its own engine has, and checks its input itself.
    return compileSchema(jsonSchema, { unsupportedPatterns: "ignore" });
  } catch (error) {
    throw badSchema(whose, error);
  }
}

function isPlainJsonSchema(schema: unknown): schema is object {
  if (typeof schema !== "object" || schema === null || "~standard" in schema) return false;
  const prototype = Object.getPrototypeOf(schema);
  const isPlain = prototype === Object.prototype || prototype === null;
  // What the AI SDK makes is plain too, but marked with symbols.
  return isPlain && Object.getOwnPropertySymbols(schema).length === 0;
}

function badSchema(whose: string, error: unknown): TenterhookError {
  return new TenterhookError("bad_agent", `the schema of ${whose} cannot be read: ${messageOf(error)}.`, {
    hint: "Give a zod schema, a Standard Schema, or a JSON Schema object.",
    cause: error,
  });
}
