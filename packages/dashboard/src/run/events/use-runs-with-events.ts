import { useQueries } from "@tanstack/react-query";
import type { RunDetail, RunEvent } from "@tenterhook/protocol/runs";
import { useMemo } from "react";
import { useMay } from "../../access/identity.ts";
import { queries } from "../../api/queries.ts";
import { runEventsQuery } from "./run-events-query.ts";

/** Runs with their events, by the id of the run. */
export type RunsWithEvents = ReadonlyMap<
  string,
  { readonly run: RunDetail; readonly events: readonly RunEvent[] }
>;

/** A run that has not ended is read again after this pause. */
const REFRESH_MS = 2_000;

/** Reads several runs with their events. Those that are not read yet are left out. */
export function useRunsWithEvents(wanted: readonly string[]): RunsWithEvents {
  // A reviewer does not read the runs of hooks.
  const ids = useMay("read") ? wanted : [];
  const runs = useQueries({
    queries: ids.map((id) => ({
      ...queries.run(id),
      refetchInterval: (query: { state: { data?: { finished_at: string | null } | undefined } }) =>
        query.state.data?.finished_at === null ? REFRESH_MS : (false as const),
    })),
  });
  const events = useQueries({
    queries: ids.map((id, index) => ({
      ...runEventsQuery(id),
      refetchInterval: runs[index]?.data?.finished_at === null ? REFRESH_MS : (false as const),
    })),
  });
  const read = [...runs, ...events].map(({ dataUpdatedAt }) => dataUpdatedAt).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the results are new objects at every render
  return useMemo(
    () =>
      new Map(
        ids.flatMap((id, index) => {
          const run = runs[index]?.data;
          return run === undefined ? [] : [[id, { run, events: events[index]?.data?.events ?? [] }] as const];
        }),
      ),
    [read],
  );
}
