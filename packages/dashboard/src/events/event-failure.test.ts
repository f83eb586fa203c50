import { expect, test } from "vitest";
import { failureMessage } from "./event-failure.ts";
import { sampleEvent } from "./sample-event.ts";

const LONG = `first line\n${"x".repeat(5_000)}`;

test.each<[string, object]>([
  ["run_failed", { error: LONG }],
  ["run_failed", { error: "it failed", block_reason: LONG }],
  ["hook_blocked", { block_reason: LONG }],
  ["hook_failed", { error: LONG }],
  ["hook_timeout", { error: LONG }],
  ["hook_trial", { outcome: "failed", error: LONG }],
  ["hook_acted", { event: "before_tool", hook: "guard", action: "refuse", reason: LONG }],
  ["hook_acted", { event: "before_tool", hook: "guard", action: "go_on", reason: LONG, failed: true }],
  ["tool_end", { tool_name: "Shell", status: "failed", reason: LONG }],
  ["subagent", { subagent: "scout", event: { event_type: "hook_failed", error: LONG } }],
])("the message of %s is neither cut nor put on one line: %#", (type, more) =>
  expect(failureMessage(sampleEvent(type, more))).toBe(LONG),
);

test.each<[string, object]>([
  ["run_completed", {}],
  ["hook_complete", { hook_type: "on_run_start", target_name: "judge" }],
  [
    "hook_acted",
    { event: "before_tool", hook: "guard", action: "go_on", changed: ["toolInput"], reason: "x" },
  ],
  ["moon_rise", { error: "x" }],
])("%s has none", (type, more) => expect(failureMessage(sampleEvent(type, more))).toBeUndefined());
