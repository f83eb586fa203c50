import { expect, test } from "vitest";
import {
  countFilters,
  NO_FILTERS,
  type RunFilters,
  readFilters,
  runsQuery,
  sinceTime,
  WITHOUT_HOOK_RUNS,
  writeFilters,
} from "./run-filters.ts";

const written = (filters: Partial<RunFilters>) => writeFilters({ ...NO_FILTERS, ...filters });

test("an address without words wants everything", () => {
  expect(readFilters({})).toEqual(NO_FILTERS);
  expect(countFilters(NO_FILTERS)).toBe(0);
  expect(Object.values(written({})).filter((word) => word !== undefined)).toEqual([]);
});

test.each<[string, Partial<RunFilters>]>([
  ["several states", { status: ["running", "failed"] }],
  ["kinds", { kind: WITHOUT_HOOK_RUNS }],
  ["an agent", { agent: "hello" }],
  ["hooks", { hasHooks: true, hookBlocked: true }],
  ["a time that moves on", { since: "15m" }],
  ["a time that does not", { from: "2026-11-15T10:00:00.000Z", to: "2026-11-16T10:00:00.000Z" }],
  ["a search", { search: "run_0m&a=b" }],
])("%s come back from the address as they went in", (_, filters) => {
  const text = new URLSearchParams(
    Object.entries(written(filters)).filter((word): word is [string, string] => word[1] !== undefined),
  ).toString();
  expect(readFilters(Object.fromEntries(new URLSearchParams(text)))).toEqual({ ...NO_FILTERS, ...filters });
});

test("words that nobody knows are as if they were not there", () => {
  expect(
    readFilters({ status: "failed,gone", kind: "x", since: "toString", from: "soon", has_hooks: "no" }),
  ).toEqual({ ...NO_FILTERS, status: ["failed"] });
});

test("a time that moves on wins over one that does not", () => {
  expect(readFilters({ since: "1h", from: "2026-11-15T10:00" })).toEqual({ ...NO_FILTERS, since: "1h" });
});

test("all kinds are no filter", () => {
  expect(written({ kind: ["client", "hook", "chained", "callback"] }).kind).toBeUndefined();
});

test("from and to are one filter", () => {
  expect(countFilters({ ...NO_FILTERS, from: "2026-11-15T10:00", to: "2026-11-16T10:00" })).toBe(1);
});

test("a time of another place is the same moment", () => {
  expect(readFilters({ from: "2026-11-15T12:00:00+02:00" }).from).toBe("2026-11-15T10:00:00.000Z");
});

test("the coordinator is asked for a beginning that moves on when it is asked, and not before", () => {
  expect(runsQuery({ ...NO_FILTERS, since: "1h" })).not.toHaveProperty("since");
  expect(sinceTime("1h", Date.parse("2026-11-15T10:00:00Z"))).toBe("2026-11-15T09:00:00.000Z");
});
