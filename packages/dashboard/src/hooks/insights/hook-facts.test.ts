import type { Insights } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { readHookFacts } from "./hook-facts.ts";

/** The parts of insights that are read. */
function insightsOf(event: string): Insights {
  const hook = { hook: "gate", kind: "named", event, calls: 3, duration_ms: 400 };
  return {
    current: {
      decisions: { passed: 2, failed: 1 },
      hook_duration: { count: 3, p50_ms: 100, p95_ms: 190 },
      hook_ms: 400,
    },
    hooks: [hook],
    agents: [
      { agent: "deploy", duration_ms: 1_600 },
      { agent: "other", duration_ms: 90_000 },
    ],
    decisions_by_agent: [{ agent: "deploy", calls: 3, decisions: {} }],
    // The rest is not read.
  } as unknown as Insights;
}

test("the time of runs is that of the agents that the hook was called for", () => {
  expect(readHookFacts(insightsOf("before_tool"))).toEqual({
    ...{ calls: 3, passed: 2, failed: 1, measured: 3, p95Ms: 190, hookMs: 400, runMs: 1_600 },
  });
});

test.each(["on_run_start", "on_run_finish", "on_timeout"])(
  "calls of %s are beside the time of a run, so they are added to it",
  (event) => {
    expect(readHookFacts(insightsOf(event)).runMs).toBe(2_000);
  },
);
