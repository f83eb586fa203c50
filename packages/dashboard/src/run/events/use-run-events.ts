import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { RunDetail, RunEvent } from "@tenterhook/protocol/runs";
import { useLiveEvents } from "../../live/live-provider.tsx";
import { FIRST_EVENTS, hasGap, isFull, withLiveEvents } from "./event-log.ts";
import { cachedEvents, runEventsQuery, storeEvents } from "./run-events-query.ts";

const NONE: readonly RunEvent[] = [];

export interface RunEvents {
  readonly events: readonly RunEvent[];
  /** While the first page is being read. */
  readonly isLoading: boolean;
  readonly isReading: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
  /** Set when there are more events than are read automatically. */
  readonly readMore: (() => void) | undefined;
}

/** The events of a run in order, live. */
export function useRunEvents({ run_id: id, event_count, child_runs }: RunDetail): RunEvents {
  const client = useQueryClient();
  const { data, error, isFetching, refetch } = useQuery(runEventsQuery(id));
  useLiveEvents((live) => {
    const own = live.filter(({ run_id }) => run_id === id);
    if (own.length > 0) {
      const log = withLiveEvents(cachedEvents(client, id), own);
      storeEvents(client, id, log);
      // Do not cancel the current request: a run with many events would never be read to its end.
      if (hasGap(log)) void client.invalidateQueries(runEventsQuery(id), { cancelRefetch: false });
    }
    // Only the child run itself reports how it ended.
    const hasChildEvent = live.some(
      ({ run_id, event_type }) =>
        event_type.startsWith("run_") && child_runs.some((child) => child.run_id === run_id),
    );
    if (hasChildEvent) void client.invalidateQueries({ queryKey: ["run", id] });
  });
  const events = data?.events ?? NONE;
  const readMore = () => {
    const log = cachedEvents(client, id);
    storeEvents(client, id, { ...log, limit: log.limit + FIRST_EVENTS });
    void refetch();
  };
  const isTruncated = data !== undefined && isFull(data) && event_count > events.length;
  return {
    events,
    isLoading: isFetching && events.length === 0,
    isReading: isFetching,
    error,
    retry: () => void refetch(),
    readMore: isTruncated ? readMore : undefined,
  };
}
