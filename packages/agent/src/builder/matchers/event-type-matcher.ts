import { eventType } from "@tenterhook/engine";
import type { HookContext } from "../contexts/hook-context.ts";
import { type EngineEvent, engineEvents, type HookEvent } from "../hook-event.ts";
import { PlannedMatcher } from "./planned-matcher.ts";

/** Matches some of the events that a hook stands on. */
export class EventTypeMatcher extends PlannedMatcher {
  readonly #events: readonly HookEvent[];

  constructor(...events: readonly [HookEvent, ...HookEvent[]]) {
    const [first, ...others] = events.flatMap(engineEvents);
    // No event at all, which the types forbid, is refused by the engine.
    super(eventType(first as EngineEvent, ...others));
    this.#events = events;
  }

  matches(context: HookContext): boolean {
    return this.#events.includes(context.eventType());
  }
}
