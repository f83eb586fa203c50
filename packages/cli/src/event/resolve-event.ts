import { didYouMean, EVENT_NAMES, type EventName, eventRow, resolveEvent } from "@tenterhook/protocol";
import { notify } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

/** The events of a name or an alias. Throws a `UsageError` for a name that a HOOK.md cannot use. */
export function eventsNamed(name: string): readonly EventName[] {
  const events = resolveEvent(name);
  if (events === undefined) {
    const all = EVENT_NAMES.filter((event) => eventRow(event).layer === "agent").join(", ");
    throw new UsageError(`unknown event "${name}".`, didYouMean(name, EVENT_NAMES, `The events are ${all}.`));
  }
  if (events.some((event) => eventRow(event).layer === "coordinator")) {
    throw new UsageError(
      `${name} is an event of the coordinator, not of a HOOK.md.`,
      "Define such a hook in an agent's blueprint.",
    );
  }
  return events;
}

/** The event of a name; for an alias of two events, the first one, with a notice. */
export function eventNamed(name: string): EventName {
  const [first, ...others] = eventsNamed(name);
  if (first === undefined) throw new UsageError(`unknown event "${name}".`);
  if (others.length > 0) notify(`${name} means ${[first, ...others].join(" and ")}; using ${first}`);
  return first;
}
