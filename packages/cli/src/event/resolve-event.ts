import { didYouMean, typedCommand } from "@tenterhook/internal";
import { EVENT_NAMES, type EventName, eventRow } from "@tenterhook/protocol";
import { resolveEvent } from "@tenterhook/protocol/internal";
import { notify } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

/** The events of a coordinator, whose hooks are in agents' blueprints. */
export const COORDINATOR_EVENTS = EVENT_NAMES.filter(isCoordinators);

/** The events of a name or an alias. Throws a `UsageError` for an unknown name. */
export function knownEvents(name: string): readonly EventName[] {
  const events = resolveEvent(name);
  if (events !== undefined) return events;
  const all = EVENT_NAMES.filter((event) => !isCoordinators(event)).join(", ");
  throw new UsageError(`unknown event "${name}".`, didYouMean(name, EVENT_NAMES, `The events are ${all}.`));
}

/** The events of a name or an alias. Throws a `UsageError` for a name that a HOOK.md cannot use. */
export function eventsNamed(name: string): readonly EventName[] {
  const events = knownEvents(name);
  if (events.some(isCoordinators)) {
    throw new UsageError(
      `${name} is an event of the coordinator, not of a HOOK.md.`,
      `Define such a hook in an agent's blueprint, and try it with: ${typedCommand()} try ${name} --agent NAME`,
    );
  }
  return events;
}

export function isCoordinators(event: EventName): boolean {
  return eventRow(event).layer === "coordinator";
}

/** The event of a name; for an alias of two events, the first one, with a notice. */
export function eventNamed(name: string): EventName {
  const [first, ...others] = eventsNamed(name);
  if (first === undefined) throw new UsageError(`unknown event "${name}".`);
  if (others.length > 0) notify(`${name} means ${[first, ...others].join(" and ")}; using ${first}`);
  return first;
}

/** A text of the event table, which is written in Markdown, without its marks. */
export function plainText(markdown: string): string {
  return markdown.replaceAll(/[*`]/g, "");
}
