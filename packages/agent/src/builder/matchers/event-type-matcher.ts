import { type EventName, eventType } from "@tenterhook/engine";
import { TenterhookError } from "@tenterhook/protocol";
import type { HookContext } from "../contexts/hook-context.ts";
import { engineEvents, HookEvent } from "../hook-event.ts";
import { HookMatcher } from "./hook-matcher.ts";

/** Matches some of the events that a hook stands on. */
export class EventTypeMatcher extends HookMatcher {
  readonly #events: readonly HookEvent[];

  constructor(...events: readonly [HookEvent, ...HookEvent[]]) {
    super(eventType(...(events.flatMap(known) as unknown as [EventName])));
    this.#events = events;
  }

  matches(context: HookContext): boolean {
    return this.#events.includes(context.eventType());
  }
}

function known(event: HookEvent): readonly EventName[] {
  if (Object.hasOwn(HookEvent, event)) return engineEvents(event);
  throw new TenterhookError("bad_matcher", `there is no event "${String(event)}" to match.`, {
    hint: `The events are ${Object.keys(HookEvent).join(", ")}.`,
  });
}
