import { expect, test } from "vitest";
import { callsOf, costText, type RunEvent, tokensText, totalUsage, usageOf } from "./index.ts";

function eventsOf(...events: readonly (readonly [type: string, fields?: object])[]): RunEvent[] {
  return events.map(([event_type, fields = {}], index) => ({
    id: `1-${index}`,
    event_type,
    session_id: "ses_1",
    run_id: "run_1",
    number: index + 1,
    timestamp: "2026-01-01T00:00:00.000Z",
    ...fields,
  }));
}

test("usage adds up the tokens of all attempts, and is undefined without usage events", () => {
  const usage = { input_tokens: 40, output_tokens: 7 };
  expect(usageOf(eventsOf(["agent_usage", usage], ["run_retried"], ["agent_usage", usage]))).toEqual({
    input_tokens: 80,
    output_tokens: 14,
  });
  expect(usageOf(eventsOf(["run_started"]))).toBeUndefined();
});

test("usage has what each model call used, with those of subagents", () => {
  const usage = { model: "small-1", input_tokens: 1_200, output_tokens: 34 };
  const inner = {
    event_type: "step_end",
    step: 1,
    status: "completed",
    usage: { ...usage, model: "large-1" },
  };
  const events = eventsOf(
    ["step_end", { step: 1, status: "completed", usage }],
    ["step_end", { step: 2, status: "failed" }],
    ["subagent", { subagent: "helper", tool_use_id: "t", event: inner }],
  );
  expect(callsOf(events).map(({ model }) => model)).toEqual(["small-1", "large-1"]);
  expect(totalUsage(callsOf(events))).toEqual({ input_tokens: 2_400, output_tokens: 68 });
  expect(tokensText(usage)).toBe("1,200 tokens in, 34 out");
  expect(tokensText({ input_tokens: 1, output_tokens: 1 })).toBe("1 token in, 1 out");
});

test("a small amount is written with two digits that count", () => {
  expect([costText(0.000123, "USD"), costText(0.5, "USD"), costText(12.345, "EUR")]).toEqual([
    "$0.00012",
    "$0.5",
    "€12.35",
  ]);
});
