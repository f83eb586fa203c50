import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { useMay } from "../../access/identity.ts";
import { queries } from "../../api/queries.ts";
import { runEventsQuery } from "../events/run-events-query.ts";
import type { ChildRuns } from "./run-timeline.ts";
import type { TimelineRow } from "./timeline-row.ts";

/** A run of a hook that has not ended is read again after this pause. */
const REFRESH_MS = 2_000;

/** The run that executes the hook of a row. */
export function childRunOf({ detail }: TimelineRow): string | undefined {
  return detail.type === "hook" ? (detail.hook.child_run_id ?? undefined) : undefined;
}

export function isUnfolded(row: TimelineRow, unfolded: ReadonlySet<string>): boolean | undefined {
  const id = childRunOf(row);
  return id === undefined ? undefined : unfolded.has(id);
}

/** Reads the runs that are unfolded in the timeline, with their events. */
export function useChildRuns(unfolded: ReadonlySet<string>): ChildRuns {
  // A reviewer does not read the runs of hooks.
  const ids = useMay("read") ? [...unfolded] : [];
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
