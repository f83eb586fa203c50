import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { EMPTY_LOG, type EventLog, hasGap, isFull, lastNumber, withPage } from "./event-log.ts";

const PAGE = 200;

const keyOf = (id: string) => ["run-events", id] as const;

/**
 * The events of a run, read page by page and shown as they come. Reading again goes on after the last one that is known,
 * so that a long run costs one small page.
 */
export function runEventsQuery(id: string) {
  return queryOptions({
    queryKey: keyOf(id),
    queryFn: ({ client, signal }) => readOn(client, id, signal),
    staleTime: 0,
    // Thousands of events that never change are not worth comparing.
    structuralSharing: false,
  });
}

export function knownEvents(client: QueryClient, id: string): EventLog {
  return client.getQueryData<EventLog>(keyOf(id)) ?? EMPTY_LOG;
}

export function keepEvents(client: QueryClient, id: string, log: EventLog): void {
  client.setQueryData<EventLog>(keyOf(id), log);
}

async function readOn(client: QueryClient, id: string, signal: AbortSignal): Promise<EventLog> {
  for (;;) {
    const before = knownEvents(client, id);
    if (isFull(before)) return before;
    const query = { after: lastNumber(before), limit: PAGE };
    const page = await call("GET /runs/{id}/events", { params: { id }, query, signal });
    // Looked up again: the stream has told more meanwhile.
    const log = withPage(knownEvents(client, id), page.events);
    if (page.next_after === null && !hasGap(log)) return log;
    // What is missing is nowhere to be had; what comes after it is better than nothing.
    if (page.events.length === 0) return { ...log, events: [...log.events, ...log.ahead], ahead: [] };
    keepEvents(client, id, log);
  }
}
