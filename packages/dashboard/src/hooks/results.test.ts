import type { HookResultCount } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import {
  callsText,
  durationBars,
  durationSummary,
  findResult,
  percentileText,
  rareResults,
  runsOfResult,
  runsText,
} from "./results.ts";

const counted = (more: Partial<HookResultCount> = {}): HookResultCount => ({
  outcome: "blocked",
  calls: 3,
  runs: 3,
  more: false,
  ...more,
});

test("a number that is not exact is named as a lower bound", () => {
  expect(callsText(counted({ calls: 1_204 }))).toBe("1,204");
  expect(callsText(counted({ calls: 10_000, more: true }))).toBe("10,000+");
  expect(runsText(counted())).toBeUndefined();
  expect(runsText(counted({ runs: 1 }))).toBe("in 1 run");
  expect(runsText(counted({ calls: 20_000, runs: 10_000, more: true }))).toBe("in 10,000+ runs");
});

test("results are found by their outcome, and those without a column are listed separately", () => {
  const results = [counted(), counted({ outcome: "skipped" }), counted({ outcome: "cancelled" })];
  expect(findResult({ results }, "blocked")).toEqual(counted());
  expect(findResult({ results }, "passed")).toBeUndefined();
  expect(rareResults({ results }).map(({ outcome }) => outcome)).toEqual(["skipped", "cancelled"]);
});

test("a number links to its runs in the same time", () => {
  const time = { since: "1h", from: undefined, to: undefined } as const;
  expect(JSON.parse(JSON.stringify(runsOfResult("named:gate", "blocked", time)))).toEqual({
    hook: "named:gate",
    hook_outcome: "blocked",
    since: "1h",
  });
});

test("the longest bar is as high as the chart, the shortest is visible, the oldest is at the left", () => {
  const bars = durationBars(
    [
      { state: "done", duration_ms: 0 },
      { state: "blocked", duration_ms: 100 },
      { state: "failed", duration_ms: 50 },
    ],
    { width: 40, height: 20, columns: 4 },
  );
  expect(bars.map(({ x, height }) => [x, height])).toEqual([
    [0, 2],
    [10, 20],
    [20, 10],
  ]);
  expect(bars.map(({ y }) => y)).toEqual([18, 0, 10]);
});

test("durations are summarized as text", () => {
  expect(durationSummary([{ state: "blocked", duration_ms: 5 }])).toBe(
    "the latest 1 took 5 ms to 5 ms; 1 blocked, 0 failed",
  );
  expect(durationSummary([])).toBe("no durations yet");
  expect(percentileText({ p50_ms: 12, p95_ms: 3400 })).toBe("p50 12 ms, p95 3.4 s");
});
