import type { Hooks } from "@tenterhook/engine";
import { type AroundPoint, hasSources, listWrappers } from "@tenterhook/engine/host";
import { EVENT_NAMES, type EventName } from "@tenterhook/protocol";
import type { AdapterOptions } from "./adapter-options.ts";
import type { AdapterSupport } from "./support.ts";

/** The events that an adapter can fire, for adapters that install every extension point. */
export function listSupported({ events, around }: AdapterSupport): Set<EventName | AroundPoint> {
  const fired = EVENT_NAMES.filter((event) => events[event] !== undefined && events[event].level !== "none");
  return new Set([...fired, ...(Object.keys(around) as AroundPoint[])]);
}

/** The events that have hooks now, or all that the adapter can fire with `events: "all"`. */
export function listNeeded(
  hooks: Hooks,
  support: AdapterSupport,
  options: AdapterOptions,
): Set<EventName | AroundPoint> {
  const supported = listSupported(support);
  if (options.events === "all") return supported;
  return new Set(
    [...supported].filter((event) =>
      event === "around_llm" || event === "around_tool"
        ? listWrappers(hooks, event).length > 0
        : hooks.list(event).length > 0,
    ),
  );
}

/** All events that an adapter can fire, without the groups of `separate` that no hook needs now. A source of hooks may need each later. */
export function listInstalled(
  hooks: Hooks,
  support: AdapterSupport,
  options: AdapterOptions,
  separate: readonly (readonly EventName[])[],
): Set<EventName | AroundPoint> {
  const installed = listSupported(support);
  if (hasSources(hooks)) return installed;
  const needed = listNeeded(hooks, support, options);
  for (const events of separate)
    if (!events.some((event) => needed.has(event))) for (const event of events) installed.delete(event);
  return installed;
}
