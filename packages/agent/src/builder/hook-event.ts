import { type EventAlias, type EventName, TenterhookError } from "@tenterhook/protocol";
import { ALIASES } from "@tenterhook/protocol/internal";

type BuilderAlias = {
  [A in EventAlias]: (typeof ALIASES)[A]["dialect"] extends "builder" ? A : never;
}[EventAlias];

/** The events under the builder's names; `docs/reference/aliases.md` lists the engine's events behind them. */
export const HookEvent = {
  PreToolUse: "PreToolUse",
  PostToolUse: "PostToolUse",
  BeforeStep: "BeforeStep",
  AfterStep: "AfterStep",
  ExecutionStart: "ExecutionStart",
  ExecutionEnd: "ExecutionEnd",
  Stop: "Stop",
  SubagentStop: "SubagentStop",
  AgentFailed: "AgentFailed",
} as const satisfies { readonly [A in BuilderAlias]: A };

export type HookEvent = keyof typeof HookEvent;

/** The engine's events behind a name of the builder. */
export type EngineEvent<H extends HookEvent = HookEvent> = (typeof ALIASES)[H]["events"][number];

/** The engine's events behind a name; throws `unknown_event` if the builder does not have it. */
export function engineEvents(event: HookEvent): readonly [EngineEvent, ...EngineEvent[]] {
  if (Object.hasOwn(HookEvent, event)) return ALIASES[event].events;
  throw new TenterhookError("unknown_event", `the builder has no event "${String(event)}".`, {
    hint: `Its events are ${Object.keys(HookEvent).join(", ")}.`,
  });
}

const BUILDER_EVENTS: ReadonlyMap<EventName, HookEvent> = new Map(
  Object.values(HookEvent).flatMap((event) => engineEvents(event).map((name) => [name, event] as const)),
);

/** The builder's name for an event of the engine; throws `unknown_event` if it has none. */
export function builderEvent(event: EventName): HookEvent {
  const name = BUILDER_EVENTS.get(event);
  if (name !== undefined) return name;
  throw new TenterhookError("unknown_event", `the builder has no context for ${event}.`, {
    hint: "Use the engine's own hooks and predicate() there.",
  });
}
