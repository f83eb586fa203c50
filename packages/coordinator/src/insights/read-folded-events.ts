import type { Statement } from "../database/database.ts";
import { horizonSql } from "../events/horizon.ts";
import type { Json } from "../store/rows.ts";

/** An event that is folded, with what is known of its run. */
export interface FoldedEvent {
  readonly xid: string;
  readonly id: number;
  /** Whether it is counted; the last event of a batch is read in any case, for its cursor. */
  readonly is_counted: boolean;
  readonly type: string;
  readonly run_id: string | null;
  readonly created_at: string;
  readonly data: Json | null;
  /** Null when the run has been removed. */
  readonly agent: string | null;
  /** Of the run's first start: how long it waited before. */
  readonly wait_ms: number | null;
  /** Of the run's end: how long it was since its first start. */
  readonly duration_ms: number | null;
  /** Of the end of an attempt: who executed it, and since when. */
  readonly runner: string | null;
  readonly busy_since: string | null;
  /** By the clock of the store, which all times here are of. */
  readonly read_at: string;
}

const ENDS = "'run_completed', 'run_failed', 'run_stopped'";
const ATTEMPT_ENDS = `${ENDS}, 'run_finishing', 'run_retried'`;

// Only what is counted is read from the data of events: pieces of text are many, and their data may be large.
const IS_COUNTED = `(
  type IN (${ATTEMPT_ENDS}, 'run_created', 'run_started', 'hook_complete', 'hook_blocked', 'hook_failed', 'hook_acted',
    'hook_tallies', 'approval_requested', 'step_end')
  OR type = 'subagent' AND data->'event'->>'event_type' IN ('step_end', 'hook_acted', 'subagent'))`;

// A run without hooks that was executed once has the beginning and the runner of its only attempt in its row. Of others they are in the
// latest event that began or ended an attempt: a run that waits for its hooks has left its runner already.
const IS_SIMPLE = "next.type <> 'run_retried' AND NOT runs.has_hooks AND runs.attempt = 1";

const reading = (name: string, horizon: string): Statement => ({
  name,
  text: `
    WITH next AS MATERIALIZED (
      SELECT *, ${IS_COUNTED} AND id > $5::bigint AS is_counted, lead(id) OVER (ORDER BY xid, id) IS NULL AS is_last
      FROM (
        SELECT * FROM events WHERE (xid, id) > ($1::text::xid8, $2::bigint) AND ${horizon} ORDER BY xid, id LIMIT $3
      ) AS batch
    )
    SELECT next.xid::text AS xid, next.id, next.is_counted, next.type, next.run_id, next.created_at,
      CASE WHEN next.is_counted THEN next.data END AS data, runs.agent_name AS agent,
      CASE WHEN next.type = 'run_started' AND next.created_at = runs.started_at
        THEN extract(epoch FROM next.created_at - runs.created_at)::float8 * 1000 END AS wait_ms,
      CASE WHEN next.type IN (${ENDS}) THEN extract(epoch FROM next.created_at - runs.started_at)::float8 * 1000 END AS duration_ms,
      coalesce(runners.name, attempt.runner_id) AS runner, attempt.since AS busy_since, now() AS read_at
    FROM next
    LEFT JOIN runs ON next.is_counted AND runs.id = next.run_id
    LEFT JOIN LATERAL (
      SELECT runs.runner_id, runs.started_at AS since WHERE ${IS_SIMPLE} AND runs.started_at < next.created_at
      UNION ALL
      SELECT began.data->>'runner_id', began.created_at FROM (
        SELECT type, data, created_at FROM events AS earlier
        WHERE earlier.run_id = next.run_id AND earlier.number < next.number
          AND earlier.type IN ('run_started', 'run_finishing', 'run_retried', 'run_released')
        ORDER BY earlier.number DESC LIMIT 1
      ) AS began WHERE NOT (${IS_SIMPLE}) AND began.type = 'run_started'
    ) AS attempt ON next.is_counted AND next.type IN (${ATTEMPT_ENDS})
    LEFT JOIN runners ON runners.id = attempt.runner_id
    WHERE next.is_counted OR next.is_last
    ORDER BY next.xid, next.id`,
});

/** The next events after a cursor, up to the horizon. Values: the cursor, how many, the ids of transactions that write none, the floor. */
export const READ_EVENTS = reading("events-to-fold", `xid < ${horizonSql("$4")}`);

/** All events after a cursor of another server, whose transactions have ended long ago. */
export const READ_RESTORED_EVENTS = reading("restored-events-to-fold", "$4::text[] IS NOT NULL");

/** An event that is further ahead was stored before the clock of the store was put back. */
const MAX_AHEAD_MS = 86_400_000;

/** The event; one of the future counts when it is read: its own slot would be shown, and removed, years later. */
export function withPossibleTime(event: FoldedEvent): FoldedEvent {
  const { created_at, read_at } = event;
  return Date.parse(created_at) > Date.parse(read_at) + MAX_AHEAD_MS
    ? { ...event, created_at: read_at }
    : event;
}
