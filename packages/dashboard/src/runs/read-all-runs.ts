import type { RunSummary } from "@tenterhook/protocol/runs";
import { call } from "../api/call.ts";
import { type RunFilters, runsQuery, sinceTime } from "./run-filters.ts";

/** The most runs that are read at once; larger lists are read through the API. */
export const MAX_READ = 10_000;
const PAGE_SIZE = 200;

/** The newest runs that match the filters, at most `MAX_READ`. `onRead` gets their number after every page. */
export async function readAllRuns(
  filters: RunFilters,
  onRead?: (count: number) => void,
): Promise<readonly RunSummary[]> {
  const filter = runsQuery(filters);
  const from = sinceTime(filters.since, Date.now()) ?? filter.from;
  const runs: RunSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await call("GET /runs", { query: { ...filter, from, limit: PAGE_SIZE, cursor } });
    runs.push(...page.runs);
    onRead?.(runs.length);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && runs.length < MAX_READ);
  return runs.slice(0, MAX_READ);
}
