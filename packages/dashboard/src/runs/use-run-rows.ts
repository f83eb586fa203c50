import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { RunSummary } from "@tenterhook/protocol/runs";
import { useEffect, useMemo, useRef, useState } from "react";
import { call } from "../api/call.ts";
import { queries } from "../api/queries.ts";
import { useLiveEvents } from "../live/live-provider.tsx";
import { rowsOf } from "./merge-runs.ts";
import { changedRuns } from "./row-events.ts";
import { RowRefresher } from "./row-refresher.ts";
import { type RunFilters, runsQuery, type Since, sinceTime } from "./run-filters.ts";

/** When events have added more rows to the first page, it is read again. */
const MAX_ON_FIRST_PAGE = 1_000;

/** When the coordinator has usually indexed the words of a run. */
const INDEXED_AFTER_MS = 1_500;

/** The loaded runs that match the filters, live. */
export function useRunRows(filters: RunFilters) {
  const client = useQueryClient();
  const { since } = filters;
  const filter = runsQuery(filters);
  const options = queries.runList(filter, since ?? "", () => sinceTime(since, Date.now()));
  const query = useInfiniteQuery({ ...options, placeholderData: keepPreviousData });

  const listName = JSON.stringify(options.queryKey);
  const refresher = useRef<RowRefresher>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name of the list identifies the query
  useEffect(() => {
    const created = new RowRefresher({
      isReading: () => client.getQueryState(options.queryKey)?.fetchStatus !== "idle",
      change: (change) =>
        client.setQueryData(options.queryKey, (data) => {
          if (data === undefined) return undefined;
          const changed = change(data.pages);
          return changed === data.pages ? data : { ...data, pages: [...changed] };
        }),
      fetch: async (ids) => {
        const from = sinceTime(since, Date.now()) ?? filter.from;
        const query = { ...filter, from, id: ids.join(","), limit: ids.length };
        return (await call("GET /runs", { query })).runs;
      },
    });
    refresher.current = created;
    return () => created.close();
  }, [client, listName]);
  const isSearch = filter.search !== undefined;
  useLiveEvents((events) => {
    const ids = changedRuns(events);
    refresher.current?.add(ids);
    // What a run contains is found a moment after its event.
    if (isSearch && ids.length > 0) setTimeout(() => refresher.current?.add(ids), INDEXED_AFTER_MS);
  });

  const pages = query.data?.pages;
  const read = useMemo(() => rowsOf(pages ?? []), [pages]);
  const rows = useRecent(read, since);

  // A page of a search may be empty although there is more.
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const isEmptyPage = pages?.at(-1)?.runs.length === 0;
  useEffect(() => {
    if (isEmptyPage && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isEmptyPage, hasNextPage, isFetching, isError, fetchNextPage]);

  /** Drops all but the first page when it has grown too long; only while the top is visible. */
  const dropOldRows = () => {
    if ((pages?.[0]?.runs.length ?? 0) <= MAX_ON_FIRST_PAGE || query.isFetching) return;
    client.setQueryData(options.queryKey, (data) =>
      data === undefined
        ? undefined
        : { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    );
    void query.refetch();
  };

  return { query, rows, listName: query.isPlaceholderData ? undefined : listName, dropOldRows };
}

/** How often a relative period is applied again. */
const EVERY_MS = 10_000;

/** The rows without those that have left the relative period. */
function useRecent(rows: readonly RunSummary[], since: Since | undefined): readonly RunSummary[] {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (since === undefined) return;
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, [since]);
  const from = sinceTime(since, now);
  if (from === undefined) return rows;
  const end = rows.findLastIndex(({ created_at }) => created_at >= from) + 1;
  return end === rows.length ? rows : rows.slice(0, end);
}
