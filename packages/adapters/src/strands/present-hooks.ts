import type { Hooks } from "@tenterhook/engine";
import { type AroundPoint, hasSources, listWrappers } from "@tenterhook/engine/host";
import type { EventName } from "@tenterhook/protocol";

/** Whether one of these events may have a hook. A source of hooks may register some at any time. */
export function mayHaveHooks(
  hooks: Hooks,
  events: readonly EventName[],
  points: readonly AroundPoint[] = [],
): boolean {
  return (
    hasSources(hooks) ||
    events.some((event) => hooks.list(event).length > 0) ||
    points.some((point) => listWrappers(hooks, point).length > 0)
  );
}

/** Whether the set may have a hook at all. */
export function mayHaveAnyHook(hooks: Hooks): boolean {
  return hooks.list().length > 0 || mayHaveHooks(hooks, [], ["around_llm", "around_tool"]);
}
