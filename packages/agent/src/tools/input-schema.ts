import { messageOf, TenterhookError } from "@tenterhook/protocol";

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
        return result.success ? { value: result.value } : { problem: messageOf(result.error) };
      },
    };
  } catch (error) {
    throw badSchema(whose, error);
  }
}

function jsonSchemaOf(jsonSchema: object, whose: string): InputSchema {
  let validate: Promise<(value: unknown) => string | undefined> | undefined;
  return {
    jsonSchema,
    async check(value) {
      // Compiled when the first call comes: most tools of a run are never called.
      validate ??= compile(jsonSchema, whose);
      const problem = (await validate)(value);
      return problem === undefined ? { value } : { problem };
    },
  };
}

async function compile(jsonSchema: object, whose: string): Promise<(value: unknown) => string | undefined> {
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  // One instance for each schema, because an instance keeps every schema that it has seen for ever.
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: false,
    meta: false,
    validateSchema: false,
  });
  try {
    const { $schema: _dialect, ...schema } = jsonSchema as { readonly $schema?: unknown };
    const fits = ajv.compile(schema);
    return (value) => (fits(value) ? undefined : ajv.errorsText(fits.errors, { dataVar: "input" }));
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
