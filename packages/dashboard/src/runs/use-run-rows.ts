import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { call } from "../api/call.ts";
import { queries } from "../api/queries.ts";
import { useLiveEvents, useLiveState } from "../live/live-provider.tsx";
import { rowsOf } from "./merge-runs.ts";
import { changedRuns } from "./row-events.ts";
import { RowsInStep } from "./rows-in-step.ts";
import { type RunFilters, runsQuery, sinceTime } from "./run-filters.ts";
import { useRecent } from "./use-recent.ts";

/** Rows that the first page may grow to by events, before it is read anew. */
const MOST_ON_FIRST_PAGE = 1_000;

/** The runs that fit some filters, as far as they were read, kept up to date. */
export function useRunRows(filters: RunFilters) {
  const client = useQueryClient();
  const live = useLiveState();
  const { since } = filters;
  const asked = runsQuery(filters);
  const options = queries.runList(asked, since ?? "", () => sinceTime(since, Date.now()));
  // What happens between reading and listening would be told to nobody, so the listening comes first.
  const query = useInfiniteQuery({
    ...options,
    enabled: live !== "connecting",
    placeholderData: keepPreviousData,
  });

  const listName = JSON.stringify(options.queryKey);
  const step = useRef<RowsInStep>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name of the list stands for all that is in it
  useEffect(() => {
    const rows = new RowsInStep({
      isReading: () => client.getQueryState(options.queryKey)?.fetchStatus !== "idle",
      change: (change) =>
        client.setQueryData(options.queryKey, (data) => {
          if (data === undefined) return undefined;
          const changed = change(data.pages);
          return changed === data.pages ? data : { ...data, pages: [...changed] };
        }),
      ask: async (ids) => {
        const from = sinceTime(since, Date.now()) ?? asked.from;
        const query = { ...asked, from, id: ids.join(","), limit: ids.length };
        return (await call("GET /runs", { query })).runs;
      },
    });
    step.current = rows;
    return () => rows.close();
  }, [client, listName]);
  useLiveEvents((events) => step.current?.add(changedRuns(events)));

  const pages = query.data?.pages;
  const read = useMemo(() => rowsOf(pages ?? []), [pages]);
  const rows = useRecent(read, since);

  /** Forgets all but the newest runs, when there have become many; for when nobody looks at the others. */
  const forgetOld = () => {
    if ((pages?.[0]?.runs.length ?? 0) <= MOST_ON_FIRST_PAGE || query.isFetching) return;
    client.setQueryData(options.queryKey, (data) =>
      data === undefined
        ? undefined
        : { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    );
    void query.refetch();
  };

  return { query, rows, listName: query.isPlaceholderData ? undefined : listName, forgetOld };
}
