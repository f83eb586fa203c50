import type { HookCounts } from "@tenterhook/protocol/runs";

/** The number of results in a small chart. */
const MAX_CHARTED = 40;
/** Of the newest thousand only, so that a hook which ran a million times is as quick to show. */
const MAX_TIMED = 1_000;

/** The states of a hook that answered or failed. */
const ENDED: readonly HookCounts["latest"][number]["state"][] = ["done", "blocked", "failed"];

/**
 * SQL for the newest results and durations of the run hooks that fit a condition, as one row of `HookCounts`. Each state is read in the
 * order of its index, and no further than needed. The newest are those of the newest runs.
 */
export function newestCounts(condition: string): string {
  const newest = ENDED.map(
    (state) => `(
          SELECT state, created_at, run_created_at,
            extract(epoch FROM finished_at - coalesce(started_at, created_at))::float8 * 1000 AS ms
          FROM run_hooks WHERE ${condition} AND state = '${state}' AND finished_at IS NOT NULL
          ORDER BY run_created_at DESC LIMIT ${MAX_TIMED})`,
  );
  return `
    SELECT count(*) AS ran,
      count(*) FILTER (WHERE state = 'blocked') AS blocked,
      count(*) FILTER (WHERE state = 'failed') AS failed,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS p50_ms,
      percentile_cont(0.95) WITHIN GROUP (ORDER BY ms) AS p95_ms,
      coalesce(
        jsonb_agg(jsonb_build_object('state', state, 'duration_ms', round(ms)) ORDER BY ordinal DESC)
          FILTER (WHERE ordinal <= ${MAX_CHARTED}),
        '[]') AS latest
    FROM (
      SELECT *, row_number() OVER (ORDER BY run_created_at DESC, created_at DESC) AS ordinal
      FROM (${newest.join(" UNION ALL ")}) AS results
    ) AS numbered
    WHERE ordinal <= ${MAX_TIMED}`;
}
