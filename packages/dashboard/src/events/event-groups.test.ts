import type { RunEvent } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { colorOf } from "./event-groups.ts";

const event = (event_type: string, more: object = {}): RunEvent => ({
  id: "1-1",
  event_type,
  run_id: "run_1",
  session_id: "ses_1",
  number: 1,
  timestamp: "2026-11-15T10:00:00.000Z",
  ...more,
});

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
  ["run_completed", {}, "green"],
  ["agent_saved", {}, "grape"],
  ["moon_rise", {}, "gray"],
])("%s %o is %s", (type, more, color) => expect(colorOf(event(type, more))).toBe(color));
