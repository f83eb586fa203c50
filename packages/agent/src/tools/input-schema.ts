import { writableCopy } from "@tenterhook/engine/host";
import { isRecord, LONGEST_ERROR, messageOf, readable, shortened } from "@tenterhook/internal";
import type { SchemaCheck } from "@tenterhook/internal/validate";
import { TenterhookError } from "@tenterhook/protocol";

/** The parsed value, or the problem with it. */
export type Checked = { readonly value: unknown } | { readonly problem: string };

/** A schema of any supported library. */
export interface InputSchema {
  /** For the model. */
  readonly jsonSchema: object;
  check(value: unknown): Promise<Checked>;
}

const EMPTY = { type: "object", properties: {}, additionalProperties: false } as const;

/** Reads zod, Standard Schema and AI SDK schemas, and plain JSON Schema. `whose` names the owner in errors. */
export async function readSchema(schema: unknown, whose: string): Promise<InputSchema> {
  if (schema === undefined) return readJsonSchema(EMPTY, whose);
  if (isPlainJsonSchema(schema)) return readJsonSchema(schema, whose);
  try {
    const { asSchema } = await import("ai");
    const read = asSchema(schema as Parameters<typeof asSchema>[0]);
    const jsonSchema = await read.jsonSchema;
    const { validate } = read;
    // The SDK calls a function and takes what that returns for a schema.
    if (!isRecord(jsonSchema)) throw new TypeError("it has no JSON Schema");
    // The SDK's jsonSchema() without a validator checks nothing, so values are validated by the schema itself.
    if (validate === undefined) return readJsonSchema(jsonSchema, whose);
    return {
      jsonSchema,
      async check(value) {
        // What hooks have checked is frozen, and validators and tools may write into what they are given, for example to fill in defaults.
        const result = await validate(writableCopy(value));
        return result.success
          ? { value: result.value }
          : { problem: shortened(messageOf(result.error), LONGEST_ERROR) };
      },
    };
  } catch (error) {
    throw badSchema(whose, error);
  }
}

function readJsonSchema(jsonSchema: object, whose: string): InputSchema {
  let compiled: Promise<SchemaCheck> | undefined;
  return {
    jsonSchema,
    async check(value) {
      // Compiled with the first call, because most tools of a run are never called.
      compiled ??= compile(jsonSchema, whose);
      const violation = (await compiled)(value, "input");
      return violation === undefined ? { value: writableCopy(value) } : { problem: violation.text };
    },
  };
}

async function compile(jsonSchema: object, whose: string): Promise<SchemaCheck> {
  const { compileSchema } = await import("@tenterhook/internal/validate");
  try {
    // A tool of another library may have a pattern that only its own engine supports; it checks its input itself.
    return compileSchema(jsonSchema, { unsupportedPatterns: "ignore" });
  } catch (error) {
    throw badSchema(whose, error);
  }
}

function isPlainJsonSchema(schema: unknown): schema is object {
  if (typeof schema !== "object" || schema === null || "~standard" in schema) return false;
  const prototype = Object.getPrototypeOf(schema);
  const isPlain = prototype === Object.prototype || prototype === null;
  // Schemas of the AI SDK are plain objects too, but marked with symbols.
  return isPlain && Object.getOwnPropertySymbols(schema).length === 0;
}

function badSchema(whose: string, error: unknown): TenterhookError {
  return new TenterhookError("bad_agent", `the schema of ${whose} cannot be read: ${messageOf(error)}.`, {
    hint: "Pass a zod schema, a Standard Schema, or a JSON Schema object.",
    cause: readable(error),
  });
}
