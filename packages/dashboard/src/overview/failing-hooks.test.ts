import type { Insights } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { findFailingHooks } from "./failing-hooks.ts";

const hook = (name: string, kind: string, decisions: Record<string, number>): Insights["hooks"][number] => ({
  ...{ hook: name, kind, event: "on_run_start", decisions, duration_ms: 0 },
  calls: Object.values(decisions).reduce((sum, count) => sum + count, 0),
  duration: { count: 0, p50_ms: null, p95_ms: null },
});

test("lists hooks that failed, the worst first, with their most frequent failure", () => {
  const found = findFailingHooks({
    hooks: [
      hook("fine", "named", { passed: 9 }),
      hook("shaky", "named", { passed: 3, failed: 1 }),
      hook("judge", "inline", { failed: 4 }),
    ],
    reasons: [
      {
        ...{
          hook: "shaky",
          kind: "runner",
          event: "on_run_start",
          outcome: "failed",
          reason: "another hook",
        },
        ...{ count: 9, example_runs: ["run_0"] },
      },
      {
        ...{ hook: "shaky", kind: "named", event: "on_run_start", outcome: "failed", reason: "no answer" },
        ...{ count: 1, example_runs: ["run_1"] },
      },
    ],
  });
  expect(found).toEqual([
    {
      ...{ key: undefined, name: "judge", event: "on_run_start", failed: 4, calls: 4 },
      ...{ reason: undefined, exampleRun: undefined },
    },
    {
      ...{ key: "named:shaky", name: "shaky", event: "on_run_start", failed: 1, calls: 4 },
      ...{ reason: "no answer", exampleRun: "run_1" },
    },
  ]);
});
