import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { EMPTY_LOG, type EventLog, hasGap, isFull, lastNumber, withPage } from "./event-log.ts";

const PAGE_SIZE = 200;

const keyOf = (id: string) => ["run-events", id] as const;

/**
 * The events of a run, read page by page. A refetch continues after the last event that was read, so it costs one small page
 * even for a long run.
 */
export function runEventsQuery(id: string) {
  return queryOptions({
    queryKey: keyOf(id),
    queryFn: ({ client, signal }) => readRemaining(client, id, signal),
    staleTime: 0,
    // Events never change; comparing thousands of them would be wasted time.
    structuralSharing: false,
  });
}

export function cachedEvents(client: QueryClient, id: string): EventLog {
  return client.getQueryData<EventLog>(keyOf(id)) ?? EMPTY_LOG;
}

export function storeEvents(client: QueryClient, id: string, log: EventLog): void {
  client.setQueryData<EventLog>(keyOf(id), log);
}

async function readRemaining(client: QueryClient, id: string, signal: AbortSignal): Promise<EventLog> {
  for (;;) {
    const before = cachedEvents(client, id);
    if (isFull(before)) return before;
    const query = { after: lastNumber(before), limit: PAGE_SIZE };
    const page = await call("GET /runs/{id}/events", { params: { id }, query, signal });
    // Look the log up again: live events may have been added.
    const log = withPage(cachedEvents(client, id), page.events);
    if (page.next_after === null && !hasGap(log)) return log;
    // The missing events no longer exist; continue with those after the gap.
    if (page.events.length === 0) return { ...log, events: [...log.events, ...log.ahead], ahead: [] };
    storeEvents(client, id, log);
  }
}
