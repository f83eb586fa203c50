import type { Insights } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { findFailingHooks, findInlineKeys } from "./failing-hooks.ts";

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

test("finds the hooks of blueprints that failed by their agents, but for runs whose agent is not known", () => {
  const decided = (agent: string, decisions: Record<string, number>) => ({ agent, calls: 4, decisions });
  const found = findInlineKeys(
    {
      decisions_by_agent: [
        decided("report", { failed: 3, passed: 1 }),
        decided("fine", { passed: 4 }),
        decided("", { failed: 4 }),
        decided("deploy", { failed: 4 }),
      ],
    },
    "on_run_start",
  );
  expect(found).toEqual([
    { key: "inline:report/on_run_start", agent: "report" },
    { key: "inline:deploy/on_run_start", agent: "deploy" },
  ]);
});
