import type { Insights } from "@tenterhook/protocol/runs";
import type { Database } from "../database/database.ts";
import { runComposed, sql } from "../database/fragment.ts";
import { hookCondition, type InsightFilters } from "./insight-filters.ts";
import type { Period } from "./period.ts";
import { slotRows } from "./slot-rows.ts";

const MAX_REASONS = 50;

type Reason = Insights["reasons"][number];

/** The most frequent reasons of a period. */
export async function readReasons(
  database: Database,
  { slots }: Period,
  filters: InsightFilters,
): Promise<Reason[]> {
  const rows = await runComposed<Omit<Reason, "example_runs"> & { examples: readonly (string | null)[] }>(
    database,
    // The first and the last run by id: any two are good, and to collect all of them would take longer than everything else.
    sql`SELECT hook, kind, event, outcome, reason, sum(count)::float8 AS count,
        to_jsonb(ARRAY[min(examples[1]), max(examples[1])]) AS examples
      FROM ${slotRows("reason_rollups", slots, hookCondition(filters, "reason_rollups"))}
      GROUP BY hook, kind, event, outcome, reason ORDER BY 6 DESC, hook, reason LIMIT ${MAX_REASONS}`,
  );
  return rows.map(({ examples, ...row }) => ({
    ...row,
    example_runs: [...new Set(examples)].filter((run) => run !== null),
  }));
}
