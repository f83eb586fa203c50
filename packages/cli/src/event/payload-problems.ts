import type { EventName } from "@tenterhook/protocol";
import { payloadSchemas } from "@tenterhook/protocol/schemas";

/** The problems of an event's fields, as `field: message`, with the field names of the wire format. */
export function payloadProblems(
  event: EventName,
  payload: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { error } = payloadSchemas[event].safeParse(payload);
  return (error?.issues ?? []).map(({ path, message }) => `${wirePath(path)}: ${message}`);
}

function wirePath(path: readonly PropertyKey[]): string {
  return path
    .map((key) => String(key).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    .join(".");
}
