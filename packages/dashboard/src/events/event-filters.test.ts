import type { RunEvent } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import {
  type EventFilters,
  eventFilter,
  filtersFromSearch,
  isFiltered,
  searchFromFilters,
} from "./event-filters.ts";

const event = (event_type: string, more: object = {}): RunEvent => ({
  id: "1-1",
  event_type,
  run_id: "run_1",
  session_id: "ses_1",
  number: 1,
  timestamp: "2026-11-15T10:00:00.000Z",
  ...more,
});

const EVENTS = [
  event("run_created", { agent_name: "echo" }),
  event("hook_blocked", { block_reason: "No DROP TABLE" }),
  event("text", { run_id: "run_2", session_id: "ses_2", text: "Hello" }),
  event("odd", { run_id: null, session_id: null }),
];

test.each<[Partial<EventFilters>, string[]]>([
  [{}, ["run_created", "hook_blocked", "text", "odd"]],
  [{ types: ["hook_blocked"] }, ["hook_blocked"]],
  [{ types: ["hooks", "text"] }, ["hook_blocked", "text"]],
  [{ agent: "echo" }, ["run_created", "hook_blocked"]],
  [{ about: "run_2" }, ["text"]],
  [{ about: " ses_1 " }, ["run_created", "hook_blocked"]],
  [{ text: "drop table" }, ["hook_blocked"]],
  [{ text: "hello", types: ["runs"] }, []],
])("%o matches %o", (filters, types) => {
  const agents = new Map([["run_1", "echo"]]);
  const wanted = { ...filtersFromSearch({}), ...filters };
  const passes = eventFilter(wanted, (id) => agents.get(id));
  expect(EVENTS.filter(passes).map(({ event_type }) => event_type)).toEqual(types);
});

test("filters survive the address", () => {
  const filters: EventFilters = { types: ["hooks", "text"], agent: "echo", about: "run_1", text: "a & b" };
  expect(filtersFromSearch(searchFromFilters(filters))).toEqual(filters);
  expect(isFiltered(filters)).toBe(true);
  expect(isFiltered(filtersFromSearch({}))).toBe(false);
});
