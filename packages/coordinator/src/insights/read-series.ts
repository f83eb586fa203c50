import { setField } from "@tenterhook/internal";
import type { Insights } from "@tenterhook/protocol/runs";
import type { Database } from "../database/database.ts";
import { type Fragment, runComposed, sql } from "../database/fragment.ts";
import { hasHookFilter, hookCondition, type InsightFilters } from "./insight-filters.ts";
import type { Period } from "./period.ts";
import { equalTo, RUN_COLUMNS, slotRows, sumOf, USAGE_COLUMNS } from "./slot-rows.ts";

type Point = Insights["series"][number];

interface OfPoint {
  /** Counts the steps from 1. */
  readonly point: number;
}

/** What happened in each step of a period. Without filters from the totals, which have one row for each slot. */
export async function readSeries(
  database: Database,
  { points, seriesSlots }: Period,
  filters: InsightFilters,
): Promise<Point[]> {
  const starts = points.map((point) => new Date(point).toISOString());
  const read = <R>(table: string, columns: Fragment, condition: Fragment) =>
    runComposed<R & OfPoint>(
      database,
      sql`SELECT width_bucket(since, ${starts}::timestamptz[]) AS point, ${columns}
        FROM ${slotRows(table, seriesSlots, condition)} GROUP BY 1`,
    );
  const { agent, model } = filters;
  const [runs, usage, decisions] = await Promise.all([
    read<Point["runs"]>(
      agent === undefined ? "total_rollups" : "run_rollups",
      sumOf(RUN_COLUMNS),
      equalTo({ agent }),
    ),
    read<Point["usage"]>(
      (agent ?? model) === undefined ? "total_rollups" : "model_rollups",
      sumOf(USAGE_COLUMNS),
      equalTo({ agent, model }),
    ),
    runComposed<OfPoint & { readonly outcome: string; readonly count: number }>(
      database,
      sql`SELECT width_bucket(since, ${starts}::timestamptz[]) AS point, outcome, ${sumOf(["count"])}
        FROM ${slotRows(hasHookFilter(filters) ? "hook_rollups" : "decision_rollups", seriesSlots, hookCondition(filters))}
        GROUP BY 1, outcome`,
    ),
  ]);
  const series = starts.map(
    (since): Point => ({ since, runs: zeros(RUN_COLUMNS), decisions: {}, usage: zeros(USAGE_COLUMNS) }),
  );
  for (const { point, ...counts } of runs) Object.assign(series[point - 1]?.runs ?? {}, counts);
  for (const { point, ...sums } of usage) Object.assign(series[point - 1]?.usage ?? {}, sums);
  // An outcome that only a newer runner knows may have any name.
  for (const { point, outcome, count } of decisions)
    setField(series[point - 1]?.decisions ?? {}, outcome, count);
  return series;
}

function zeros<C extends string>(columns: readonly C[]): Record<C, number> {
  return Object.fromEntries(columns.map((column) => [column, 0])) as Record<C, number>;
}
