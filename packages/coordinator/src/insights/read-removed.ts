import type { Insights } from "@tenterhook/protocol/runs";
import type { Database } from "../database/database.ts";
import { runComposed, sql } from "../database/fragment.ts";
import type { InsightFilters } from "./insight-filters.ts";
import type { Period } from "./period.ts";
import { REMOVED } from "./rollup-tables.ts";
import { equalTo, RUN_COLUMNS, slotRows, sumOf } from "./slot-rows.ts";

type RunCounts = Insights["current"]["runs"];

/** Runs of a period that have been removed since. Absent ones are none. */
export interface RemovedRuns {
  readonly current?: RunCounts;
  readonly previous?: RunCounts;
  readonly byAgent: ReadonlyMap<string, RunCounts>;
  /** By the step of the series, from 0. */
  readonly byStep: ReadonlyMap<number, RunCounts>;
}

interface Row extends RunCounts {
  /** -1: in the period; -2: in the one before; otherwise the step of the series, from 1. */
  readonly part: number;
  readonly agent: string;
}

/** Reads how many runs of a period have been removed. The table is small: it has rows only where retention has reached. */
export async function readRemoved(
  database: Database,
  { slots, slotsBefore, points, seriesSlots }: Period,
  { agent }: InsightFilters,
): Promise<RemovedRuns> {
  const ranges = [
    ...slots.map((range) => ({ ...range, period: -1 })),
    ...slotsBefore.map((range) => ({ ...range, period: -2 })),
  ];
  const starts = points.map((point) => new Date(point).toISOString());
  const rows = await runComposed<Row>(
    database,
    sql`SELECT period AS part, agent, ${sumOf(RUN_COLUMNS)} FROM ${slotRows(REMOVED, ranges, equalTo({ agent }))} GROUP BY 1, 2
      UNION ALL
      SELECT width_bucket(since, ${starts}::timestamptz[]), '', ${sumOf(RUN_COLUMNS)}
      FROM ${slotRows(REMOVED, seriesSlots, equalTo({ agent }))} GROUP BY 1`,
  );
  const current = rows.filter(({ part }) => part === -1);
  const previous = rows.filter(({ part }) => part === -2);
  return {
    ...(current.length > 0 && { current: addUp(current) }),
    ...(previous.length > 0 && { previous: addUp(previous) }),
    byAgent: new Map(current.map((row) => [row.agent, addUp([row])])),
    byStep: new Map(rows.filter(({ part }) => part > 0).map((row) => [row.part - 1, addUp([row])])),
  };
}

function addUp(rows: readonly RunCounts[]): RunCounts {
  const sums: RunCounts = { created: 0, started: 0, completed: 0, failed: 0, stopped: 0 };
  for (const row of rows) for (const column of RUN_COLUMNS) sums[column] += row[column];
  return sums;
}
