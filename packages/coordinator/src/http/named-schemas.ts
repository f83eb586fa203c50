import * as protocol from "@tenterhook/protocol/runs";
import { z } from "zod";

export type JsonSchema = Readonly<Record<string, unknown>>;

const COMPONENTS = "#/components/schemas/";

/** The schemas of the protocol, by their names there; a schema without a name is written out where it is used. */
export class NamedSchemas {
  readonly #registry = z.registry<{ readonly id: string }>();
  // By definition and not by schema: a schema that was described is another schema with the same definition.
  readonly #names = new Map<unknown, string>();

  constructor() {
    for (const [name, schema] of Object.entries(protocol)) {
      if (!(schema instanceof z.ZodType)) continue;
      const id = name.charAt(0).toUpperCase() + name.slice(1);
      this.#names.set(schema._zod.def, id);
      this.#registry.add(schema, { id });
    }
  }

  reference(schema: z.ZodType): JsonSchema {
    const name = this.#names.get(schema._zod.def);
    return name === undefined ? jsonSchema(schema) : { $ref: COMPONENTS + name };
  }

  all(): JsonSchema {
    const { schemas } = z.toJSONSchema(this.#registry, { ...OPTIONS, uri: (id) => COMPONENTS + id });
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain(schema)]));
  }
}

/** The JSON Schema of the input, before defaults and transformations. */
export function jsonSchema(schema: z.ZodType): JsonSchema {
  return plain(z.toJSONSchema(schema, OPTIONS));
}

const OPTIONS = {
  io: "input",
  override: ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    // The format is enough; the pattern fills half a page.
    if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  },
} as const;

function plain({ $schema: _dialect, $id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
