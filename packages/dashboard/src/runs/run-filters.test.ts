import { expect, test } from "vitest";
import {
  countFilters,
  NO_FILTERS,
  OWN_KINDS,
  type RunFilters,
  readFilters,
  runsQuery,
  sinceTime,
  writeFilters,
} from "./run-filters.ts";

const written = (filters: Partial<RunFilters>) => writeFilters({ ...NO_FILTERS, ...filters });

test("an address without parameters has no filters", () => {
  expect(readFilters({})).toEqual(NO_FILTERS);
  expect(countFilters(NO_FILTERS)).toBe(0);
  expect(Object.values(written({})).filter((word) => word !== undefined)).toEqual([]);
});

test.each<[string, Partial<RunFilters>]>([
  ["several states", { status: ["running", "failed"] }],
  ["kinds", { kind: OWN_KINDS }],
  ["runs that serve others", { serving: true }],
  ["an agent", { agent: "hello" }],
  ["hooks", { hasHooks: true }],
  ["a result of a hook", { hook: "inline:deploy/on_run_start", hookOutcome: ["blocked", "failed"] }],
  ["a hook on a runner", { hook: "runner:no rm, ever" }],
  ["what people look for", { status: ["blocked", "needs_approval"] }],
  ["a relative period", { since: "15m" }],
  ["fixed times", { from: "2026-11-15T10:00:00.000Z", to: "2026-11-16T10:00:00.000Z" }],
  ["a search", { search: "run_0m&a=b" }],
])("%s survive the address", (_, filters) => {
  const text = new URLSearchParams(
    Object.entries(written(filters)).filter((word): word is [string, string] => word[1] !== undefined),
  ).toString();
  expect(readFilters(Object.fromEntries(new URLSearchParams(text)))).toEqual({ ...NO_FILTERS, ...filters });
});

test("unknown values are ignored", () => {
  expect(
    readFilters({ status: "failed,gone", kind: "x", since: "toString", from: "soon", has_hooks: "no" }),
  ).toEqual({ ...NO_FILTERS, status: ["failed"] });
});

test("a link of former versions to blocked runs shows blocked runs", () => {
  expect(readFilters({ hook_blocked: "true" })).toEqual({ ...NO_FILTERS, status: ["blocked"] });
  // Both had to apply, and every blocked run is a failed one.
  expect(readFilters({ hook_blocked: "true", status: "failed" }).status).toEqual(["blocked"]);
});

test("a relative period takes precedence over fixed times", () => {
  expect(readFilters({ since: "1h", from: "2026-11-15T10:00" })).toEqual({ ...NO_FILTERS, since: "1h" });
});

test("all kinds count as no filter", () => {
  expect(written({ kind: ["client", "hook", "chained", "callback"] }).kind).toBeUndefined();
});

test("from and to count as one filter", () => {
  expect(countFilters({ ...NO_FILTERS, from: "2026-11-15T10:00", to: "2026-11-16T10:00" })).toBe(1);
});

test("a time with an offset is converted to UTC", () => {
  expect(readFilters({ from: "2026-11-15T12:00:00+02:00" }).from).toBe("2026-11-15T10:00:00.000Z");
});

test("the start of a relative period is computed at the time of the request", () => {
  expect(runsQuery({ ...NO_FILTERS, since: "1h" })).not.toHaveProperty("since");
  expect(sinceTime("1h", Date.parse("2026-11-15T10:00:00Z"))).toBe("2026-11-15T09:00:00.000Z");
});

test("runs that serve others are left out, unless they or their kind were asked for", () => {
  expect(runsQuery(NO_FILTERS).kind).toBe("client,callback");
  expect(runsQuery({ ...NO_FILTERS, serving: true }).kind).toBeUndefined();
  expect(runsQuery({ ...NO_FILTERS, kind: ["hook"] }).kind).toBe("hook");
  expect(runsQuery({ ...NO_FILTERS, agent: "guard" }).kind).toBeUndefined();
  expect(runsQuery({ ...NO_FILTERS, search: "run_0m" }).kind).toBeUndefined();
  expect(runsQuery({ ...NO_FILTERS, search: "ses_0m" }).kind).toBeUndefined();
});
