import { createHooks, type EventName, type Hooks } from "@tenterhook/engine";

export const MODEL_AND_TOOL_EVENTS = ["before_llm", "after_llm", "before_tool", "after_tool"] as const;

export const RUN_EVENTS = [
  ...["before_agent", "before_step", ...MODEL_AND_TOOL_EVENTS, "after_step", "before_stop", "after_agent"],
] as readonly EventName[];

/** Twenty hooks that let everything pass, on these events in turn. Each is a function of its own, as twenty rules would be. */
export function quietHooks(events: readonly EventName[]): Hooks {
  const hooks = createHooks();
  for (let n = 0; n < 20; n++) {
    const hook = new Function("context", `if (context.never === ${n}) return 1;`) as () => undefined;
    hooks.on(events[n % events.length] ?? "before_tool", hook);
  }
  return hooks;
}
