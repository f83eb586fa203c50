import type { RunEventType } from "@tenterhook/protocol/runs";

/** The type of an event as a literal in SQL. The compiler checks that the protocol declares it. */
export function eventType(type: RunEventType): string {
  return `'${type}'`;
}
