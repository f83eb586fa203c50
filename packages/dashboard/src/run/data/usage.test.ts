import { callsOf, costText, tokensText, usageOf } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { eventsOf } from "../timeline/timeline-fixtures.ts";

test("adds up the tokens of all attempts, and is undefined without usage events", () => {
  const usage = { input_tokens: 40, output_tokens: 7 };
  expect(usageOf(eventsOf(["agent_usage", 1, usage], ["run_retried", 2], ["agent_usage", 3, usage]))).toEqual(
    {
      input_tokens: 80,
      output_tokens: 14,
    },
  );
  expect(usageOf(eventsOf(["run_started", 1]))).toBeUndefined();
});

test("has what each model call used, with those of subagents", () => {
  const usage = { model: "small-1", input_tokens: 1_200, output_tokens: 34 };
  const inner = {
    event_type: "step_end",
    step: 1,
    status: "completed",
    usage: { ...usage, model: "large-1" },
  };
  const events = eventsOf(
    ["step_end", 1, { step: 1, status: "completed", usage }],
    ["step_end", 2, { step: 2, status: "failed" }],
    ["subagent", 3, { subagent: "helper", tool_use_id: "t", event: inner }],
  );
  expect(callsOf(events).map(({ model }) => model)).toEqual(["small-1", "large-1"]);
  expect(tokensText(usage)).toBe("1,200 tokens in, 34 out");
});

test("writes small amounts with two digits that count", () => {
  expect([costText(0.000123, "USD"), costText(0.5, "USD"), costText(12.345, "EUR")]).toEqual([
    "$0.00012",
    "$0.5",
    "€12.35",
  ]);
});
