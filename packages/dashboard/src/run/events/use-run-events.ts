import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { RunDetail, RunEvent } from "@tenterhook/protocol/runs";
import { useLiveEvents } from "../../live/live-provider.tsx";
import { FIRST_EVENTS, hasGap, isFull, withHeard } from "./event-log.ts";
import { keepEvents, knownEvents, runEventsQuery } from "./run-events-query.ts";

const NONE: readonly RunEvent[] = [];

export interface RunEvents {
  readonly events: readonly RunEvent[];
  /** While the first of them are being read. */
  readonly isLoading: boolean;
  readonly isReading: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
  /** There are more, but so many that somebody must ask for them. */
  readonly readMore: (() => void) | undefined;
}

/** The events of a run, in their order, as they happen. */
export function useRunEvents({ run_id: id, event_count, child_runs }: RunDetail): RunEvents {
  const client = useQueryClient();
  const { data, error, isFetching, refetch } = useQuery(runEventsQuery(id));
  useLiveEvents((heard) => {
    const own = heard.filter(({ run_id }) => run_id === id);
    if (own.length > 0) {
      const log = withHeard(knownEvents(client, id), own);
      keepEvents(client, id, log);
      // What is being read is not given up for this: a run that tells much would never be read to its end.
      if (hasGap(log)) void client.invalidateQueries(runEventsQuery(id), { cancelRefetch: false });
    }
    // What became of a run that a hook started is told by that run alone.
    const isOfChild = heard.some(
      ({ run_id, event_type }) =>
        event_type.startsWith("run_") && child_runs.some((child) => child.run_id === run_id),
    );
    if (isOfChild) void client.invalidateQueries({ queryKey: ["run", id] });
  });
  const events = data?.events ?? NONE;
  const readMore = () => {
    const log = knownEvents(client, id);
    keepEvents(client, id, { ...log, most: log.most + FIRST_EVENTS });
    void refetch();
  };
  const isCut = data !== undefined && isFull(data) && event_count > events.length;
  return {
    events,
    isLoading: isFetching && events.length === 0,
    isReading: isFetching,
    error,
    retry: () => void refetch(),
    readMore: isCut ? readMore : undefined,
  };
}
