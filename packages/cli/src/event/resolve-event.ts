import { EVENT_NAMES, type EventName, eventRow, nearestEvent, resolveEvent } from "@tenterhook/protocol";
import { notify } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

/** The events that a name or an alias stands for. Throws a `UsageError` for a name that no HOOK.md can have. */
export function eventsNamed(name: string): readonly EventName[] {
  const events = resolveEvent(name);
  if (events === undefined) {
    const nearest = nearestEvent(name);
    const all = EVENT_NAMES.filter((event) => eventRow(event).layer === "agent").join(", ");
    throw new UsageError(
      `there is no event "${name}".`,
      nearest === undefined ? `The events are ${all}.` : `Did you mean ${nearest}?`,
    );
  }
  if (events.some((event) => eventRow(event).layer === "coordinator")) {
    throw new UsageError(
      `${name} belongs to the coordinator, so no HOOK.md can be for it.`,
      "Such hooks stand in an agent's blueprint.",
    );
  }
  return events;
}

/** The one event that a name stands for; of an alias for two, the first, and the person is told. */
export function eventNamed(name: string): EventName {
  const [first, ...others] = eventsNamed(name);
  if (first === undefined) throw new UsageError(`"${name}" stands for no event.`);
  if (others.length > 0)
    notify(`${name} stands for ${[first, ...others].join(" and ")}; this is about ${first}`);
  return first;
}
