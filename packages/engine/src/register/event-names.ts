import {
  EVENT_NAMES,
  type EventName,
  nearestEvent,
  resolveEvent,
  TenterhookError,
} from "@tenterhook/protocol";

/** The events that names and aliases stand for, each once. */
export function resolveEvents(names: readonly string[]): readonly EventName[] {
  if (!Array.isArray(names) || names.length === 0) throw unknownEvent(names);
  return [...new Set(names.flatMap((name) => resolveEvent(name) ?? raise(unknownEvent(name))))];
}

export function unknownEvent(name: unknown): TenterhookError {
  const nearest = typeof name === "string" ? nearestEvent(name) : undefined;
  return new TenterhookError("unknown_event", `there is no event "${String(name)}".`, {
    hint: nearest === undefined ? `The events are ${EVENT_NAMES.join(", ")}.` : `Did you mean ${nearest}?`,
  });
}

function raise(error: Error): never {
  throw error;
}
