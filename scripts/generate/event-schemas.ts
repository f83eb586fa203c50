import { EVENT_NAMES } from "@tenterhook/protocol";
import { eventJsonSchema } from "@tenterhook/protocol/schemas";

/** The JSON Schema of every event on the wire. */
export function eventSchemas(): Record<string, string> {
  return Object.fromEntries(
    EVENT_NAMES.map((event) => [
      `packages/protocol/json-schema/${event}.json`,
      `${JSON.stringify(eventJsonSchema(event), undefined, 2)}\n`,
    ]),
  );
}
