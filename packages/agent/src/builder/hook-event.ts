import { ALIASES, type EventAlias, type EventName, TenterhookError } from "@tenterhook/protocol";

type BuilderAlias = {
  [A in EventAlias]: (typeof ALIASES)[A]["dialect"] extends "builder" ? A : never;
}[EventAlias];

/** The points of an agent's life under the builder's names; `docs/reference/aliases.md` tells which events they stand for. */
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

/** The events that the engine fires there. */
export type EngineEvent<H extends HookEvent = HookEvent> = (typeof ALIASES)[H]["events"][number];

/** The same for a name; throws `unknown_event` for one that is not the builder's. */
export function engineEvents(event: HookEvent): readonly [EngineEvent, ...EngineEvent[]] {
  if (Object.hasOwn(HookEvent, event)) return ALIASES[event].events;
  throw new TenterhookError("unknown_event", `the builder has no event "${String(event)}".`, {
    hint: `Its events are ${Object.keys(HookEvent).join(", ")}.`,
  });
}

const ENGINE_EVENTS: ReadonlySet<EventName> = new Set(Object.values(HookEvent).flatMap(engineEvents));

/** Whether the builder has a word, and a context, for an event of the engine. */
export function isEngineEvent(event: EventName): event is EngineEvent {
  return ENGINE_EVENTS.has(event);
}
