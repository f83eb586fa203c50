import fc from "fast-check";
import { oddDate } from "../odd-values.ts";

/** What is read of a JSON Schema; the coordinator's document has nothing else. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly pattern?: string;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** Names of what exists in the coordinator; see `FuzzedCoordinator.names`. */
const BY_PROPERTY: Readonly<Record<string, fc.Arbitrary<string>>> = {
  agent_name: fc.constantFrom("plain", "hooked", "typed", "absent"),
  $ref: fc.constantFrom("shared-hook", "absent"),
  lease_token: fc.constant("@@lease@@"),
  run_id: fc.constant("@@run@@"),
  runner_id: fc.constant("@@runner@@"),
  session_id: fc.constantFrom("@@session@@", "another-session"),
  parent_session_id: fc.constant("@@session@@"),
  key: fc.constantFrom("first", "second"),
  event_type: fc.constantFrom("log", "tool_start", "hook_start", "run_completed"),
  // Nothing listens there.
  url: fc.constant("http://127.0.0.1:9/hook"),
};

/** Values that fit a schema, most of them such that the coordinator has a use for them. */
export function schemaValue(schema: Schema, all: Schemas, property = ""): fc.Arbitrary<unknown> {
  const below = (inner: Schema) => schemaValue(inner, all, property);
  if (schema.$ref !== undefined) {
    return below(all[schema.$ref.split("/").at(-1) ?? ""] ?? {}).map((value) => value);
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(below));
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["anything"]);
  return fc.oneof(...types.map((type) => typedValue(type, schema, all, property)));
}

function typedValue(type: string, schema: Schema, all: Schemas, property: string): fc.Arbitrary<unknown> {
  switch (type) {
    case "object":
      return objectValue(schema, all);
    case "array":
      return fc.array(schemaValue(schema.items ?? {}, all, property), {
        minLength: schema.minItems ?? 0,
        maxLength: 3,
      });
    case "integer":
    case "number": {
      const { minimum = 0, maximum = 100 } = schema;
      return fc.oneof(
        fc.constantFrom(minimum, maximum),
        fc.integer({ min: minimum, max: Math.min(maximum, 5) }),
      );
    }
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "string":
      return BY_PROPERTY[property] ?? textValue(schema);
    default:
      return fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as unknown);
  }
}

function objectValue(schema: Schema, all: Schemas): fc.Arbitrary<unknown> {
  const { properties, required = [] } = schema;
  if (properties === undefined) {
    return fc.dictionary(
      fc.string({ minLength: 1, maxLength: 6 }),
      fc.constantFrom<unknown>(1, "x", null, [], {}),
      {
        maxKeys: 3,
      },
    );
  }
  const fields = Object.entries(properties).map(
    ([name, each]) => [name, schemaValue(each, all, name)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
}

function textValue({ format, pattern, minLength = 0, maxLength = 20 }: Schema): fc.Arbitrary<string> {
  if (format === "date-time") return oddDate;
  if (pattern !== undefined) return fc.constantFrom("a", "plain", "x1");
  return fc.string({ minLength, maxLength: Math.min(maxLength, 20) });
}
