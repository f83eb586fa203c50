import { expect, test } from "vitest";
import type { HookFacts } from "./hook-facts.ts";
import { describeHook, isFailing } from "./hook-sentences.ts";

const facts = (more: Partial<HookFacts> = {}): HookFacts => ({
  ...{ calls: 100, passed: 90, failed: 0, measured: 100, p95Ms: 3, hookMs: 200, runMs: 60_000 },
  ...more,
});
const titles = (more: Partial<HookFacts>, source: "runner" | "named" = "runner") =>
  describeHook(facts(more), source, "in the last week").map(({ title }) => title);

test("a hook that does what it should has no sentence", () => expect(titles({})).toEqual([]));

test("a hook that was not called never fired, and nothing else is said of it", () => {
  const none = { calls: 0, passed: 0, measured: 0, p95Ms: null, hookMs: 0 };
  expect(titles(none)).toEqual(["Never fired"]);
  expect(describeHook(facts(none), "named", "in the last week")[0]?.text).toBe(
    "No run called it in the last week. Perhaps no agent uses it, or none of them ran.",
  );
});

test("a hook always passes when each of twenty calls or more passed", () => {
  expect(titles({ calls: 20, passed: 20 })).toEqual(["Always passes"]);
  expect(titles({ calls: 19, passed: 19 })).toEqual([]);
  expect(titles({ calls: 20, passed: 19 })).toEqual([]);
});

test("a hook fails when one call in twenty or more failed", () => {
  expect(isFailing({ calls: 100, failed: 5 })).toBe(true);
  expect(isFailing({ calls: 100, failed: 4 })).toBe(false);
  expect(isFailing({ calls: 1, failed: 1 })).toBe(true);
  expect(isFailing({ calls: 0, failed: 0 })).toBe(false);
  expect(describeHook(facts({ failed: 7 }), "runner", "in the last day")[0]?.text).toBe(
    "7 of 100 calls failed in the last day (7 %).",
  );
});

test("a hook is slow from a second on where an agent waits, and from ten where a run does", () => {
  expect(titles({ p95Ms: 1_000 })).toEqual(["Slow"]);
  expect(titles({ p95Ms: 999 })).toEqual([]);
  expect(titles({ p95Ms: 9_999 }, "named")).toEqual([]);
  expect(titles({ p95Ms: 10_000 }, "named")).toEqual(["Slow"]);
  expect(titles({ p95Ms: 10_000, measured: 4 }, "named")).toEqual([]);
});

test("a hook whose calls take a tenth of the time of runs is slow, however short they are", () => {
  expect(titles({ hookMs: 6_000 })).toEqual(["Slow"]);
  expect(titles({ hookMs: 5_999 })).toEqual([]);
  expect(titles({ hookMs: 6_000, runMs: 0 })).toEqual([]);
});
