import type { Insights } from "@tenterhook/protocol/runs";
import type { Database } from "../database/database.ts";
import { allOf, runComposed, sql } from "../database/fragment.ts";
import { hookCondition, type InsightFilters } from "./insight-filters.ts";
import type { Period } from "./period.ts";
import { slotRows } from "./slot-rows.ts";

const MAX_REASONS = 50;
/** Of the newest slot, and of the oldest if that has too few. */
const MAX_EXAMPLES = 2;

type Reason = Insights["reasons"][number];

/** The most frequent reasons of a period. */
export async function readReasons(
  database: Database,
  { slots }: Period,
  filters: InsightFilters,
): Promise<Reason[]> {
  const condition = hookCondition(filters, "reason_rollups");
  // To compare the examples of all rows would take as long as everything else: they are read for the rows of the answer alone.
  const isFound = sql`since IN (top.first, top.last) AND (hook, kind, event, outcome, reason) =
    (top.hook, top.kind, top.event, top.outcome, top.reason)`;
  return runComposed<Reason>(
    database,
    sql`SELECT hook, kind, event, outcome, reason, count, to_jsonb(ARRAY(
        SELECT example FROM ${slotRows("reason_rollups", slots, allOf([condition, isFound]))}, unnest(slot.examples) AS example
        GROUP BY example ORDER BY max(slot.since) DESC, example LIMIT ${MAX_EXAMPLES})) AS example_runs
      FROM (
        SELECT hook, kind, event, outcome, reason, sum(count)::float8 AS count, min(since) AS first, max(since) AS last
        FROM ${slotRows("reason_rollups", slots, condition)}
        GROUP BY hook, kind, event, outcome, reason ORDER BY 6 DESC, hook, reason LIMIT ${MAX_REASONS}) AS top
      ORDER BY count DESC, hook, reason`,
  );
}
