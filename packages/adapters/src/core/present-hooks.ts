import type { Hooks } from "@tenterhook/engine";
import { type AroundPoint, hasWrappers, mayHaveHooks } from "@tenterhook/engine/host";
import { EVENT_NAMES, type EventName } from "@tenterhook/protocol";

/** Whether one of these events may have a hook, or the point a wrapper. A source of hooks may register some at any time. */
export function mayHaveOneOf(hooks: Hooks, events: readonly EventName[], point?: AroundPoint): boolean {
  for (const event of events) if (mayHaveHooks(hooks, event)) return true;
  return point !== undefined && hasWrappers(hooks, point);
}

/** All events, those first that most sets have hooks on: the first one found is the answer. */
const LIKELY_FIRST = [
  ...new Set<EventName>(["before_tool", "after_tool", "before_llm", "after_llm", ...EVENT_NAMES]),
];

/** Whether the set may have a hook at all. */
export function mayHaveAny(hooks: Hooks): boolean {
  return mayHaveOneOf(hooks, LIKELY_FIRST, "around_llm") || hasWrappers(hooks, "around_tool");
}
