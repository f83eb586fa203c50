import { z } from "zod";
import type { EventRow } from "./event-row.ts";
import { EVENTS, type EventName } from "./events.ts";
import { payloadSchemas } from "./payloads.ts";
import type { WireField, WireShape } from "./wire-shape.ts";

export type JsonSchema = { [keyword: string]: unknown };

/** The fields that every agent event has on the wire, whatever the host left out in process. */
const ALWAYS_ON_THE_WIRE = ["event_type", "timestamp", "session_id", "work_dir", "context"];

/** The JSON Schema of an event as it goes over a wire. */
export function eventJsonSchema(event: EventName): JsonSchema {
  const row: EventRow = EVENTS[event];
  const schema = renamed(z.toJSONSchema(payloadSchemas[event], { io: "input" }) as JsonSchema);
  const { $schema, properties, required, ...rest } = schema as {
    $schema: string;
    properties: JsonSchema;
    required?: string[];
  } & JsonSchema;
  const { context, ...fields } = properties;
  const agentFields = row.layer === "agent" ? ALWAYS_ON_THE_WIRE : ["event_type"];
  return {
    $schema,
    title: event,
    description: `Sent when ${row.when}.`,
    ...rest,
    additionalProperties: true,
    properties: { event_type: { const: event }, ...fields, ...(context !== undefined && { context }) },
    required: [...new Set([...agentFields, ...(required ?? [])])],
  };
}

/** How each field of an event is spelled on the wire, and which of its parts are renamed too. */
export function wireShape(event: EventName): WireShape {
  return toShape(z.toJSONSchema(payloadSchemas[event], { io: "input" }) as JsonSchema);
}

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toShape(schema: JsonSchema): WireShape {
  return Object.fromEntries(
    Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(([name, property]) => [
      name,
      toField(name, property),
    ]),
  );
}

function toField(name: string, property: JsonSchema): WireField {
  const wire = snakeCase(name);
  const list = property.type === "array";
  const object = objectIn(list ? (property.items as JsonSchema) : property);
  if (object === undefined) return wire;
  return list ? { name: wire, shape: toShape(object), list: true } : { name: wire, shape: toShape(object) };
}

/** The object schema in a property, also where the property may be null. */
function objectIn(schema: JsonSchema): JsonSchema | undefined {
  const options = (schema.anyOf as JsonSchema[] | undefined) ?? [schema];
  return options.find((option) => option.properties !== undefined && !isOpen(option));
}

/** An object with fields of others in it (a message, a tool's definition) is theirs to spell. */
function isOpen({ additionalProperties }: JsonSchema): boolean {
  return typeof additionalProperties === "object";
}

function renamed(schema: JsonSchema): JsonSchema {
  if (isOpen(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === "properties") {
        const properties = Object.entries(value as Record<string, JsonSchema>);
        return [
          keyword,
          Object.fromEntries(properties.map(([name, sub]) => [snakeCase(name), renamed(sub)])),
        ];
      }
      if (keyword === "required") return [keyword, (value as string[]).map(snakeCase)];
      if (keyword === "anyOf") return [keyword, (value as JsonSchema[]).map(renamed)];
      if (keyword === "items") return [keyword, renamed(value as JsonSchema)];
      return [keyword, value];
    }),
  );
}
