import type { RunnerRecord } from "@tenterhook/protocol/runs";
import type { SortColumn } from "../components/sort-rows.ts";

/** The sort keys of the cards of connected runners. */
export const RUNNER_COLUMNS: readonly SortColumn<RunnerRecord>[] = [
  { key: "name", label: "Name", value: ({ name }) => name },
  { key: "state", label: "State", value: ({ state }) => state },
  { key: "used", label: "Slots used", value: ({ active_runs }) => active_runs, isDescendingFirst: true },
  {
    key: "free",
    label: "Free slots",
    value: ({ active_runs, concurrency }) => concurrency - active_runs,
    isDescendingFirst: true,
  },
];
