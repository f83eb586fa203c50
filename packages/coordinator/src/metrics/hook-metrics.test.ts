import { expect, test } from "vitest";
import { HookMetrics, MAX_HOOKS, MAX_MODELS } from "./hook-metrics.ts";

const tally = (hook: string, count: number) => ({
  ...{ hook, event: "before_tool", tool: "Shell", outcome: "passed", count, duration_ms: count },
  durations: [count],
});

/** The values of a label. */
function values(text: string, label: string): Set<string | undefined> {
  return new Set([...text.matchAll(new RegExp(`${label}="([^"]*)"`, "g"))].map(([, value]) => value));
}

test("10,000 hooks and 1,000 models have a bounded number of series, the most used ones under their names", () => {
  const metrics = new HookMetrics({ currency: "USD", models: {} });
  const count = (type: string, data: object) => metrics.count({ type, data } as never);
  for (let index = 0; index < 10_000; index++)
    count("hook_tallies", { tallies: [tally(`hook-${index}`, 1 + (index % 3)), tally("busy", 2)] });
  for (let index = 0; index < 1_000; index++)
    count("step_end", { step: 1, usage: { model: `model-${index}`, input_tokens: 1, output_tokens: 1 } });
  const text = String(metrics);
  expect(values(text, "hook").size).toBe(MAX_HOOKS + 1);
  expect(values(text, "model").size).toBe(MAX_MODELS + 1);
  for (const name of ["busy", "(other)"]) expect(values(text, "hook")).toContain(name);
  expect(text.split("\n").length).toBeLessThan(1_500);
  const counted = [...text.matchAll(/^tenterhook_hook_decisions_total\{.*\} (\d+)$/gm)];
  const total = counted.reduce((sum, [, calls]) => sum + Number(calls), 0);
  // All but what was counted of names that lost their place.
  expect(total).toBeLessThanOrEqual(40_000);
  expect(total).toBeGreaterThan(39_000);
});
