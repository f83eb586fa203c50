import { expect, test } from "vitest";
import { colorOf } from "./event-groups.ts";
import { sampleEvent } from "./sample-event.ts";

const trial = {
  trial_id: "trial_1",
  hook_type: "on_run_start",
  target_type: "agent",
  target_name: "judge",
  duration_ms: 1,
  by: "ana",
};
const acted = { event: "before_tool", hook: "no-rm", action: "proceed" };

test.each<[string, object, string]>([
  ["hook_failed", {}, "red"],
  ["hook_blocked", {}, "red"],
  ["run_failed", {}, "red"],
  ["hook_trial", { ...trial, outcome: "failed" }, "red"],
  ["hook_trial", { ...trial, outcome: "proceed" }, "indigo"],
  ["hook_acted", { ...acted, failed: true }, "red"],
  ["hook_acted", acted, "indigo"],
  ["subagent", { subagent: "scout", event: { event_type: "hook_acted", ...acted, failed: true } }, "red"],
  ["subagent", { subagent: "scout", event: { event_type: "step_start", step: 1 } }, "teal"],
  ["run_completed", {}, "green"],
  ["agent_saved", {}, "grape"],
  ["moon_rise", {}, "gray"],
])("%s %o is %s", (type, more, color) => expect(colorOf(sampleEvent(type, more))).toBe(color));
