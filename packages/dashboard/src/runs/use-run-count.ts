import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { type RunFilters, runsQuery, sinceTime } from "./run-filters.ts";

export interface RunCount {
  readonly count: number;
  /** There are more than that. */
  readonly more: boolean;
}

/** How many runs match the filters: counted here while all are loaded, else by the coordinator. */
export function useRunCount(filters: RunFilters, loaded: number, hasMore: boolean): RunCount {
  const { since } = filters;
  const options = queries.runCount(runsQuery(filters), since ?? "", () => sinceTime(since, Date.now()));
  const { data } = useQuery({ ...options, enabled: hasMore });
  if (!hasMore || data === undefined) return { count: loaded, more: hasMore };
  return data.count < loaded ? { count: loaded, more: true } : data;
}
