import { expect, test } from "vitest";
import { eventSummary } from "./event-summary.ts";
import { sampleEvent } from "./sample-event.ts";

const tally = (count: number) => ({
  ...{ event: "before_tool", hook: "no-rm", outcome: "passed", count },
  ...{ duration_ms: 1, durations: [] },
});

test.each<[string, object, string]>([
  ["run_created", { agent_name: "echo", kind: "client" }, "echo"],
  ["run_created", { agent_name: "echo", kind: "hook" }, "echo · hook"],
  ["run_started", { runner_id: "rnr_1" }, "by rnr_1"],
  ["run_ready", { parameters_changed: true }, "with changed parameters"],
  ["run_completed", {}, ""],
  ["run_failed", { error: "late", block_reason: "it is late" }, "it is late"],
  [
    "hook_complete",
    { hook_type: "on_run_start", target_name: "four-eyes", duration_ms: 12, action: "continue" },
    "on_run_start four-eyes · 12 ms",
  ],
  [
    "hook_blocked",
    { hook_type: "on_run_start", target_name: "guard", block_reason: "no\nway" },
    "on_run_start guard · no way",
  ],
  [
    "hook_failed",
    { hook_type: "on_run_start", hook_name: "curfew", target_name: "four-eyes", error: "no answer" },
    "on_run_start curfew (four-eyes) · no answer",
  ],
  [
    "hook_failed",
    { hook_type: "on_run_start", hook_name: "curfew", error: "odd" },
    "on_run_start curfew · odd",
  ],
  [
    "hook_acted",
    { event: "before_tool", hook: null, action: "block", reason: "rm" },
    "before_tool · block · rm",
  ],
  ["run_created", { agent_name: "echo", kind: "client", by: "ana" }, "echo · by ana"],
  ["agent_usage", { steps: 1, input_tokens: 1, output_tokens: 1 }, "1 step · 1 token in · 1 out"],
  ["agent_usage", { steps: 2, input_tokens: 1200, output_tokens: 3 }, "2 steps · 1,200 tokens in · 3 out"],
  ["agent_usage", { steps: 2 }, "2 steps"],
  ["hook_tallies", { tallies: [tally(1)] }, "1 call of hooks"],
  ["hook_tallies", { tallies: [tally(1), tally(2)] }, "3 calls of hooks"],
  [
    "run_created",
    { agent_name: "echo", kind: "client", by: "ana", retry_of: "run_0" },
    "echo · retry of run_0 · by ana",
  ],
  ["run_stopping", { reason: "stopped by ana", by: "ana" }, "stopped by ana"],
  ["run_stopping", { reason: "too late", by: "ana" }, "too late · by ana"],
  ["run_stopped", { stop_reason: "too late", by: "ana" }, "too late · by ana"],
  ["run_stopped", { stop_reason: "its hook has ended" }, "its hook has ended"],
  ["agent_saved", { agent_name: "echo", revision: 3, by: "ana" }, "echo · revision 3 · by ana"],
  ["agent_deleted", { agent_name: "echo", by: "ana" }, "echo · by ana"],
  ["named_hook_saved", { hook_name: "guard", revision: 2, by: "ana" }, "guard · revision 2 · by ana"],
  ["named_hook_saved", { hook_name: "guard", by: "ana" }, "guard · by ana"],
  ["named_hook_deleted", { hook_name: "guard" }, "guard"],
  ["runner_drained", { runner_id: "runner_1", runner_name: "build-3", by: "ana" }, "build-3 · by ana"],
  ["session_deleted", { by: "ana" }, "ses_1 · by ana"],
  ["approval_decided", { decision: "expire", decided_by: "nobody" }, "expire"],
  ["approval_decided", { decision: "approve", by: "ana", decided_by: "ana" }, "approve · by ana"],
  ["approval_requested", { reason: "production" }, "production"],
  ["approval_requested", { reason: "production", hook: "no-deploy" }, "no-deploy · production"],
  ["approval_requested", { reason: "late", hook_type: "on_run_start" }, "on_run_start · late"],
  ["approval_decided", { decision: "edit", decided_by: "ann" }, "edit · by ann"],
  ["approval_decided", { decision: "cancel", reason: "the run has ended" }, "cancel · the run has ended"],
  ["tool_start", { tool_name: "Shell", tool_input: { command: "ls" } }, 'Shell · {"command":"ls"}'],
  [
    "tool_end",
    { tool_name: "Shell", status: "ok", duration_ms: 3, result: "a b" },
    "Shell · ok · 3 ms · a b",
  ],
  ["text", { text: "  Hello\n  there " }, "Hello there"],
  [
    "subagent",
    { subagent: "scout", event: { event_type: "step_start", step: 2 } },
    "scout · step_start · step 2",
  ],
  ["moon_rise", { phase: "full", height: 3, other: null }, "phase: full, height: 3"],
])("%s %o is summarized as: %s", (type, more, line) =>
  expect(eventSummary(sampleEvent(type, more))).toBe(line),
);

test("a long line is cut", () => {
  expect(eventSummary(sampleEvent("log", { text: "x".repeat(1_000) }))).toHaveLength(301);
});
