import { didYouMean } from "@tenterhook/internal";
import { EVENT_NAMES, type EventName, TenterhookError } from "@tenterhook/protocol";
import { resolveEvent } from "@tenterhook/protocol/internal";

/** The events that names and aliases stand for, each once. */
export function resolveEvents(names: readonly string[]): readonly EventName[] {
  if (!Array.isArray(names) || names.length === 0) throw unknownEvent(names);
  return [...new Set(names.flatMap((name) => resolveEvent(name) ?? raise(unknownEvent(name))))];
}

export function unknownEvent(name: unknown): TenterhookError {
  return new TenterhookError("unknown_event", `there is no event "${String(name)}".`, {
    hint: didYouMean(String(name), EVENT_NAMES, `The events are ${EVENT_NAMES.join(", ")}.`),
  });
}

function raise(error: Error): never {
  throw error;
}
