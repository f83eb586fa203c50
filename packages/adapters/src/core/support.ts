import type { AroundPoint, Effect } from "@tenterhook/engine/host";
import { EVENT_NAMES, type EventName, eventRow } from "@tenterhook/protocol";
import type { AdapterName } from "./adapter-name.ts";
import type { Peer } from "./check-peer.ts";

/** How an adapter carries one event. */
export interface EventSupport {
  /** `full`: an extension point of the framework carries it; `partial`: in part, or around the framework; `none`: not fired. */
  readonly level: "full" | "partial" | "none";
  /** The effects that reach the framework; `proceed` always does. */
  readonly effects: readonly Effect[];
  /** The extension point, or why there is none. */
  readonly by: string;
  /** What differs from Tenterhook's own agent. */
  readonly notes?: string;
}

/** The support table of one adapter. */
export interface AdapterSupport {
  readonly adapter: AdapterName;
  /** The framework's name: `LangChain`. */
  readonly name: string;
  readonly peer: Peer;
  /** The events that it fires; those that are missing are not fired. */
  readonly events: { readonly [E in EventName]?: EventSupport };
  /** How wrappers of the model call and of the tool call are called; those that are missing are not. */
  readonly around: { readonly [P in AroundPoint]?: string };
}

/** The row of an event, also of one that the adapter does not fire. */
export function readSupport(
  { events, name }: Pick<AdapterSupport, "events" | "name">,
  event: EventName,
): EventSupport {
  return events[event] ?? { level: "none", effects: [], by: `${name} has no extension point for it` };
}

/** The events that agents fire, for tables: not those of a coordinator. */
export const AGENT_EVENTS: readonly EventName[] = EVENT_NAMES.filter(
  (event) => eventRow(event).layer === "agent",
);
