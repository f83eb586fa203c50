import { expect, test } from "vitest";
import { findEventHook } from "./event-hook.ts";
import { sampleEvent } from "./sample-event.ts";

const called = { hook_type: "on_run_start", target_type: "agent", target_name: "judge", hook_id: "h" };
const acted = { event: "before_tool", action: "refuse" };

test.each([
  [sampleEvent("hook_acted", { ...acted, hook: "no-rm" }), "runner:no-rm"],
  [sampleEvent("hook_acted", { ...acted, hook: "on_tool_call" }), undefined],
  [sampleEvent("hook_acted", { ...acted, hook: null }), undefined],
  [sampleEvent("hook_complete", { ...called, hook_name: "curfew" }), "named:curfew"],
  [sampleEvent("hook_blocked", { ...called, block_reason: "no" }), "inline:deploy/on_run_start"],
  [
    sampleEvent("subagent", {
      ...{ subagent: "a", tool_use_id: "t" },
      event: { event_type: "hook_acted", ...acted, hook: "no-rm" },
    }),
    "runner:no-rm",
  ],
  [sampleEvent("run_created", { agent_name: "deploy", kind: "client" }), undefined],
  [sampleEvent("newer_hook_event", { hook: "no-rm" }), undefined],
])("the event %j is about the hook %s", (event, key) => expect(findEventHook(event, "deploy")).toBe(key));

test("an inline hook of an agent that is not known has no page", () => {
  const event = sampleEvent("hook_complete", { ...called });
  expect(findEventHook(event, undefined)).toBeUndefined();
});
