import { expect, test } from "vitest";
import { runTimeline } from "./run-timeline.ts";
import { detailOf, eventsOf, hookOf, moment } from "./timeline-fixtures.ts";
import { callsWithin, decisionsWithin, rowsWithin } from "./within-row.ts";

const usage = (input_tokens: number) => ({ input_tokens, output_tokens: 1, model: "m" });
const call = { step: 1, tool_use_id: "t1", tool_name: "Shell" };
const { rows } = runTimeline(
  detailOf({
    hooks: [
      hookOf({
        hook_type: "on_tool_call",
        tool_use_id: "t1",
        created_at: moment(12),
        finished_at: moment(13),
      }),
    ],
  }),
  eventsOf(
    ["run_created", 0],
    ["run_started", 10, { runner_id: "a" }],
    ["step_start", 11, { step: 1 }],
    ["tool_start", 12, { ...call, tool_input: { command: "ls" } }],
    [
      "hook_acted",
      13,
      { event: "after_tool", hook: "scrub", action: "proceed", changed: ["result"], tool_use_id: "t1" },
    ],
    ["tool_end", 14, { ...call, status: "completed", duration_ms: 2 }],
    ["step_end", 15, { step: 1, status: "completed", usage: usage(10) }],
    ["step_start", 16, { step: 2 }],
    ["step_end", 17, { step: 2, status: "completed", usage: usage(5) }],
  ),
);
const within = (label: string) => rowsWithin(rows, rows.find((row) => row.label === label)?.id ?? "");

test("a row contains the rows below it, up to the next of its level", () => {
  expect(within("Step 1").map(({ label }) => label)).toEqual(["Step 1", "Shell", "on_tool_call", "scrub"]);
  expect(within("Step 2").map(({ label }) => label)).toEqual(["Step 2"]);
  expect(rowsWithin(rows, "unknown")).toEqual([]);
});

test("the decisions of a row are those of the hooks below it", () => {
  expect(decisionsWithin(within("Step 1")).map(({ label }) => label)).toEqual(["on_tool_call", "scrub"]);
  expect(decisionsWithin(within("Step 2"))).toEqual([]);
  expect(decisionsWithin(within("scrub"))).toEqual([]);
});

test("the tokens of a row are those of all model calls below it", () => {
  expect(callsWithin(within("Running")).map(({ input_tokens }) => input_tokens)).toEqual([10, 5]);
  expect(callsWithin(within("Step 2")).map(({ input_tokens }) => input_tokens)).toEqual([5]);
  expect(callsWithin(within("Shell"))).toEqual([]);
});
