import type { HookCounts } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { durationBars, durationSummary, outcomeSummary, outcomes, percentileText } from "./outcomes.ts";

const counts = (more: Partial<HookCounts>): HookCounts => ({
  ran: 0,
  blocked: 0,
  failed: 0,
  p50_ms: null,
  p95_ms: null,
  latest: [],
  ...more,
});

test("zero counts are left out of the chart and of the text", () => {
  const some = counts({ ran: 5, blocked: 2 });
  expect(outcomes(some).map(({ label, count }) => [label, count])).toEqual([
    ["passed", 3],
    ["blocked", 2],
  ]);
  expect(outcomeSummary(some)).toBe("ran 5 times: 3 passed, 2 blocked");
  expect(outcomeSummary(counts({}))).toBe("has not run yet");
  expect(percentileText(counts({ p50_ms: 12, p95_ms: 3400 }))).toBe("p50 12 ms, p95 3.4 s");
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
  expect(durationSummary(counts({ latest: [{ state: "blocked", duration_ms: 5 }] }))).toBe(
    "the latest 1 took 5 ms to 5 ms; 1 blocked, 0 failed",
  );
  expect(durationSummary(counts({}))).toBe("no durations yet");
});
