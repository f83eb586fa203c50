import { expect, test } from "vitest";
import {
  type EventFilters,
  eventFilter,
  filtersFromSearch,
  isFiltered,
  searchFromFilters,
} from "./event-filters.ts";
import { sampleEvent } from "./sample-event.ts";

const EVENTS = [
  sampleEvent("run_created", { agent_name: "echo" }),
  sampleEvent("hook_blocked", { block_reason: "No DROP TABLE" }),
  sampleEvent("text", { run_id: "run_2", session_id: "ses_2", text: "Hello" }),
  sampleEvent("odd", { run_id: null, session_id: null }),
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
