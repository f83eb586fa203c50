import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Query } from "@tenterhook/client";
import { call } from "../api/call.ts";
import { viewerTimeZone } from "./insight-range.ts";

export type InsightFilters = Omit<Query<"GET /insights">, "timezone">;

/** How often numbers are read again: events are counted a few seconds after they happened. */
const READ_MS = 15_000;

/** What happened in a period, in the viewer's time zone. */
export function insightsQuery(filters: InsightFilters) {
  const query = { ...filters, timezone: viewerTimeZone() };
  return queryOptions({
    queryKey: ["insights", query],
    queryFn: ({ signal }) => call("GET /insights", { query, signal }),
    refetchInterval: READ_MS,
    // The numbers of another period stay until the new ones are here.
    placeholderData: keepPreviousData,
  });
}
