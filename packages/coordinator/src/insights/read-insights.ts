import type { Insights, insightsQuery, Prices } from "@tenterhook/protocol/runs";
import type { z } from "zod";
import type { Database, Queries, Statement } from "../database/database.ts";
import { breakDown } from "./break-down.ts";
import { readInsightFilters } from "./insight-filters.ts";
import { readProgress } from "./insight-folder.ts";
import { type Period, readPeriod } from "./period.ts";
import { readReasons } from "./read-reasons.ts";
import { type RemovedRuns, readRemoved } from "./read-removed.ts";
import { readSeries } from "./read-series.ts";
import { readSums } from "./read-sums.ts";
import { readTotals } from "./read-totals.ts";

// Only where slots that are shorter than a day were removed: in a young store there is nothing before the first of them.
const DETAIL_SINCE: Statement = {
  name: "insights-detail-since",
  text: `
    SELECT now() AS now, (
      SELECT detail.since FROM (SELECT since FROM total_rollups WHERE step = 15 ORDER BY since LIMIT 1) AS detail
      WHERE EXISTS (SELECT FROM total_rollups WHERE step = 1440 AND since < date_bin('1 day', detail.since, timestamptz 'epoch'))
    ) AS since`,
};

// The first that the folder would read, also if a transaction before it has not ended yet.
const OLDEST_UNCOUNTED: Statement = {
  name: "oldest-uncounted-event",
  text: `
    SELECT extract(epoch FROM now() - created_at)::float8 AS age FROM events
    WHERE (xid, id) > ($1::text::xid8, $2::bigint) AND id > $3::bigint ORDER BY xid, id LIMIT 1`,
};

/** What happened in a period, from the roll-ups. Now is when it is now for the store: what is counted has its times from there. */
export async function readInsights(
  database: Database,
  query: z.output<typeof insightsQuery>,
  { currency }: Prices,
): Promise<Insights> {
  const [[detail], progress] = await Promise.all([
    database.run<{ now: string; since: string | null }>(DETAIL_SINCE),
    readProgress(database),
  ]);
  if (detail === undefined) throw new Error("the store did not say what time it is");
  const { now, since } = detail;
  const period = readPeriod(query, since === null ? 0 : Date.parse(since), Date.parse(now));
  const filters = readInsightFilters(query);
  const [totals, sums, series, reasons, removed, behind] = await Promise.all([
    readTotals(database, period, filters),
    readSums(database, period, filters),
    readSeries(database, period, filters),
    readReasons(database, period, filters),
    readRemoved(database, period, filters),
    progress === undefined ? 0 : readLag(database, progress.value),
  ]);
  return {
    ...describePeriod(period),
    recorded_since: progress?.value.since ?? null,
    passes_since: progress?.value.tallies_since ?? null,
    behind_seconds: behind,
    currency,
    ...withRemoved({ ...totals, ...breakDown(sums), series }, removed),
    reasons,
  };
}

type Counted = Pick<Insights, "current" | "previous" | "series" | "agents">;

function withRemoved<C extends Counted>(counted: C, { byAgent, byStep, ...removed }: RemovedRuns): C {
  const { current, previous, series, agents } = counted;
  const noted = <R extends object>(row: R, counts: Insights["current"]["removed"]) =>
    counts === undefined ? row : { ...row, removed: counts };
  return {
    ...counted,
    current: noted(current, removed.current),
    previous: noted(previous, removed.previous),
    series: series.map((point, index) => noted(point, byStep.get(index))),
    agents: agents.map((row) => noted(row, byAgent.get(row.agent))),
  };
}

async function readLag(
  queries: Queries,
  { after, floor }: { readonly after: { readonly xid: string; readonly id: number }; readonly floor: number },
): Promise<number> {
  const [row] = await queries.run<{ age: number }>(OLDEST_UNCOUNTED, [after.xid, after.id, floor]);
  return Math.max(0, row?.age ?? 0);
}

function describePeriod({ sinceMs, untilMs, beforeMs, timezone, step }: Period) {
  const iso = (timeMs: number) => new Date(timeMs).toISOString();
  return {
    ...{ since: iso(sinceMs), until: iso(untilMs), timezone, step },
    before: { since: iso(beforeMs), until: iso(sinceMs) },
  };
}
