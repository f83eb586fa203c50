import type { Prices, RunSummary } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { readCost, visibleColumns } from "./run-columns.ts";

// Only the fields that columns read.
const run = (part: Partial<RunSummary> = {}) =>
  ({
    kind: "client",
    input_line: null,
    result_line: null,
    block_reason: null,
    error: null,
    stop_reason: null,
    has_hooks: false,
    trial: false,
    waiting_for: null,
    usage: null,
    ...part,
  }) as RunSummary;
const usage = [{ model: "large", input_tokens: 1_000_000, output_tokens: 0 }];
const prices: Prices = { currency: "USD", models: { large: { input: 3, output: 15 } } };
const names = (...args: Parameters<typeof visibleColumns>) => visibleColumns(...args).map(({ name }) => name);

test("by default empty columns, the kind of clients' runs and the session are not shown", () => {
  expect(names([run()], {}, undefined, false)).toEqual(["status", "agent", "created", "duration"]);
});

test("a column is shown when one run has something in it", () => {
  const rows = [run(), run({ input_line: "Pay it." }), run({ usage }), run({ kind: "hook", error: "no" })];
  expect(names(rows, {}, prices, false)).toEqual(
    "status agent input about kind tokens cost created duration".split(" "),
  );
  expect(names(rows, {}, { ...prices, models: {} }, false)).not.toContain("cost");
});

test("what users chose counts more, but the status, the agent and what a search found stay", () => {
  const choice = { status: false, session: true, input: false, about: false, created: false };
  expect(names([run({ input_line: "a" })], choice, undefined, false)).toEqual(
    "status agent session duration".split(" "),
  );
  expect(names([run()], choice, undefined, true)).toContain("about");
});

test("a run costs the sum of its models, if all of their prices are known", () => {
  expect(readCost(run({ usage }), prices)).toBe(3);
  expect(readCost(run({ usage }), undefined)).toBeUndefined();
  expect(readCost(run(), prices)).toBeUndefined();
  const unknown = { model: null, input_tokens: 1, output_tokens: 1 };
  expect(readCost(run({ usage: [...usage, unknown] }), prices)).toBeUndefined();
});
