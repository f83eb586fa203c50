import type { Insights } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { countedFilters, countedNumber } from "./counted.ts";
import { NO_FILTERS, type RunFilters } from "./run-filters.ts";

const from = "2026-11-17T00:00:00.000Z";
const to = "2026-11-18T00:00:00.000Z";
const list = (more: Partial<RunFilters>): RunFilters => ({ ...NO_FILTERS, serving: true, from, to, ...more });
const period = { since: from, until: to };

test.each<[string, Partial<RunFilters>, object]>([
  ["created runs", { time: "created" }, period],
  ["started runs of an agent", { time: "started", agent: "plain" }, { ...period, agent: "plain" }],
  ["ended runs", { time: "ended" }, period],
  ["failed runs", { time: "ended", status: ["failed", "stopped"] }, period],
  ["decisions", { time: "active", decision: ["blocked"] }, period],
  [
    "decisions of a hook about a tool",
    { time: "active", decision: ["blocked"], hook: "runner:guard", tool: "Shell" },
    { ...period, hook: "guard", tool: "Shell" },
  ],
])("insights count %s as the list does", (_, filters, asked) => {
  expect(countedFilters(list(filters))).toEqual(expect.objectContaining(asked));
});

test.each<[string, Partial<RunFilters>]>([
  ["without a kind of time", {}],
  ["without an end", { time: "created", to: undefined }],
  ["without a beginning", { time: "created", from: undefined }],
  ["without runs of hooks", { time: "created", serving: false }],
  ["with a search", { time: "created", search: "x" }],
  ["of runs with hooks", { time: "created", hasHooks: true }],
  ["of a kind", { time: "created", kind: ["hook"] }],
  ["with results of a hook", { time: "created", hook: "named:gate", hookOutcome: ["passed"] }],
  ["of a hook without a decision", { time: "created", hook: "named:gate" }],
  ["of a model", { time: "active", model: "*" }],
  ["of a runner", { time: "active", executedBy: "*" }],
  ["of all agents but some", { time: "created", agent: "!plain" }],
  ["of decisions about all tools but some", { time: "active", decision: ["blocked"], tool: "!Shell,-" }],
  ["of runs that were active", { time: "active" }],
  ["of a state in which runs do not end", { time: "ended", status: ["running"] }],
  ["of a state, by creation", { time: "created", status: ["failed"] }],
  ["of decisions at any time", { time: "created", decision: ["blocked"] }],
  ["of decisions in failed runs", { time: "active", decision: ["blocked"], status: ["failed"] }],
  [
    "of decisions of an inline hook",
    { time: "active", decision: ["blocked"], hook: "inline:a/on_run_start" },
  ],
])("a list %s is not what insights count", (_, filters) => {
  expect(countedFilters(list(filters))).toBe(undefined);
});

const insights = {
  ...period,
  current: {
    runs: { created: 9, started: 8, completed: 4, failed: 2, stopped: 1 },
    decisions: { passed: 20, blocked: 5, failed: 1 },
  },
  hooks: [
    { hook: "guard", kind: "runner", decisions: { passed: 7, blocked: 2 } },
    { hook: "guard", kind: "runner", decisions: { passed: 1 } },
    { hook: "guard", kind: "named", decisions: { passed: 12, blocked: 3 } },
  ],
  // Of the numbers only those that lists are compared with.
} as unknown as Insights;

test.each<[string, Partial<RunFilters>, number]>([
  ["created runs", { time: "created" }, 9],
  ["started runs", { time: "started" }, 8],
  ["ended runs", { time: "ended" }, 7],
  ["failed and stopped runs", { time: "ended", status: ["failed", "stopped"] }, 3],
  ["decisions", { time: "active", decision: ["blocked", "failed", "asked"] }, 6],
  [
    "decisions of a hook on runners, at all its events",
    { time: "active", decision: ["passed"], hook: "runner:guard" },
    8,
  ],
  ["decisions of a named hook", { time: "active", decision: ["passed", "blocked"], hook: "named:guard" }, 15],
  ["decisions of another hook", { time: "active", decision: ["passed"], hook: "named:other" }, 0],
])("the number of %s is taken from insights", (_, filters, number) => {
  expect(countedNumber(list(filters), insights)).toBe(number);
});

test("a number of another time than that of the list is not taken", () => {
  expect(countedNumber(list({ time: "created", from: "2026-11-17T00:05:00Z" }), insights)).toBe(undefined);
  expect(countedNumber(list({ time: "created", to: "2026-11-17T23:55:00Z" }), insights)).toBe(undefined);
  // The same moment may be written in another way.
  expect(countedNumber(list({ time: "created", from: "2026-11-17T01:00:00+01:00" }), insights)).toBe(9);
});
