import type { Database, Statement } from "../database/database.ts";
import { COUNT_REMOVED, COUNTED_OF_REMOVED } from "../insights/count-removed.ts";
import { ROLLUP_TABLES, stepsOf } from "../insights/rollup-tables.ts";
import { SHORT_SLOT_DAYS } from "../insights/slots.ts";
import { isOfRow, throwTogether } from "../repeated-failures.ts";

/** How long things are kept, in days. `Infinity` keeps them. */
export interface Retention {
  /** Runs that have ended, with their hooks and approvals, and sessions that have none left, with their conversations. */
  readonly runDays: number;
  readonly eventDays: number;
  /** For how long the same Idempotency-Key means the same run. */
  readonly keyDays: number;
  /** Runners that are gone, and tokens that are no longer valid. */
  readonly otherDays: number;
  /** The sums of days, for insights. */
  readonly insightDays: number;
  /** The sums of an hour and of its quarters, from which days in other time zones than UTC are made. */
  readonly insightDetailDays: number;
}

export const DEFAULT_RETENTION: Retention = {
  runDays: 30,
  eventDays: 30,
  keyDays: 1,
  otherDays: 30,
  insightDays: 400,
  insightDetailDays: 92,
};

/** How many of a kind one statement removes, so that other statements do not wait long for its locks. */
const MAX_ROWS = 500;

const CUTOFF = "now() - make_interval(secs => $1)";

// Events that are not in the sums of insights yet stay. Without that setting no coordinator makes such sums.
const IS_FOLDED = `coalesce((
              SELECT (oldest.xid, oldest.id) <= ((value->'after'->>'xid')::xid8, (value->'after'->>'id')::bigint)
                OR oldest.id <= (value->>'floor')::bigint
              FROM settings WHERE name = 'insights'), true)`;

// In this order, because each makes rows of the next removable. Each returns how many it removed.
const STATEMENTS: readonly {
  readonly days: (retention: Retention) => number;
  readonly statement: Statement;
}[] = [
  {
    days: ({ eventDays }) => eventDays,
    // The oldest, in the stream's order. A client that returns with a cursor before the mark learns that events are missing.
    statement: {
      name: "trim-events",
      text: `
        WITH gone AS (
          DELETE FROM events WHERE (xid, id) IN (
            SELECT xid, id FROM (SELECT * FROM events ORDER BY xid, id LIMIT ${MAX_ROWS}) AS oldest
            WHERE created_at < ${CUTOFF} AND ${IS_FOLDED})
          RETURNING xid, id
        ), last AS (SELECT xid, id FROM gone ORDER BY xid DESC, id DESC LIMIT 1), mark AS (
          INSERT INTO settings (name, value)
          SELECT 'events_trimmed', jsonb_build_object('xid', xid::text, 'id', id) FROM last
          ON CONFLICT (name) DO UPDATE SET value = excluded.value, version = settings.version + 1
          WHERE ((settings.value->>'xid')::xid8, (settings.value->>'id')::bigint)
            < ((excluded.value->>'xid')::xid8, (excluded.value->>'id')::bigint)
        )
        SELECT count(*) AS count FROM gone`,
    },
  },
  {
    days: ({ runDays }) => runDays,
    statement: {
      name: "trim-runs",
      text: `
        WITH gone AS (
          DELETE FROM runs WHERE id IN (
            SELECT id FROM runs
            WHERE created_at < ${CUTOFF} AND finished_at < ${CUTOFF} AND NOT EXISTS (
              SELECT FROM run_hooks WHERE run_hooks.run_id = runs.id AND run_hooks.finished_at IS NULL)
            ORDER BY created_at FOR UPDATE SKIP LOCKED LIMIT ${MAX_ROWS})
          RETURNING id, attempt, error_code, ${COUNTED_OF_REMOVED}
        ), counted AS (${COUNT_REMOVED}), invalid_entries AS (
          DELETE FROM conversation_entries USING gone
          WHERE run_id = gone.id AND (conversation_entries.attempt <> gone.attempt OR gone.error_code = 'runner_lost')
        ), hooks AS (DELETE FROM run_hooks WHERE run_id IN (SELECT id FROM gone)),
        results AS (DELETE FROM runner_hook_results WHERE run_id IN (SELECT id FROM gone)),
        texts AS (DELETE FROM run_texts WHERE run_id IN (SELECT id FROM gone)),
        questions AS (DELETE FROM approvals WHERE run_id IN (SELECT id FROM gone))
        SELECT count(*) AS count FROM gone`,
    },
  },
  {
    days: ({ runDays }) => runDays,
    statement: removing(
      "sessions",
      `created_at < ${CUTOFF} AND updated_at < ${CUTOFF} AND active_run_id IS NULL
        AND NOT EXISTS (SELECT FROM runs WHERE runs.session_id = sessions.id)
        AND NOT EXISTS (SELECT FROM sessions AS child WHERE child.parent_session_id = sessions.id)`,
    ),
  },
  {
    days: ({ runDays }) => runDays,
    statement: removing(
      "conversation_entries",
      `created_at < ${CUTOFF} AND NOT EXISTS (SELECT FROM sessions WHERE sessions.id = session_id)`,
    ),
  },
  {
    days: ({ runDays }) => runDays,
    statement: removing(
      "blueprints",
      `created_at < ${CUTOFF}
        AND NOT EXISTS (
          SELECT FROM agents WHERE agents.name = blueprints.name AND agents.revision = blueprints.revision)
        AND NOT EXISTS (
          SELECT FROM runs WHERE runs.agent_name = blueprints.name AND runs.revision = blueprints.revision)`,
    ),
  },
  {
    days: ({ runDays }) => runDays,
    // Not those that were replaced or deleted a short time ago: they can be restored. Runs have a copy of their hooks.
    statement: removing(
      "named_hook_revisions",
      `created_at < ${CUTOFF} AND NOT EXISTS (
          SELECT FROM named_hooks
          WHERE named_hooks.name = named_hook_revisions.name AND named_hooks.revision = named_hook_revisions.revision)
        AND NOT EXISTS (
          SELECT FROM named_hook_revisions AS next
          WHERE next.name = named_hook_revisions.name AND next.revision = named_hook_revisions.revision + 1
            AND next.created_at >= ${CUTOFF})`,
    ),
  },
  { days: ({ keyDays }) => keyDays, statement: removing("idempotency_keys", `created_at < ${CUTOFF}`) },
  {
    days: ({ otherDays }) => otherDays,
    // A token whose maker is gone is invalid, whatever its own columns are.
    statement: removing(
      "tokens",
      `revoked_at < ${CUTOFF} OR expires_at < ${CUTOFF} OR (made_with IS NOT NULL AND created_at < ${CUTOFF}
        AND NOT EXISTS (SELECT FROM tokens AS maker WHERE maker.id = tokens.made_with))`,
    ),
  },
  {
    days: ({ otherDays }) => otherDays,
    statement: removing(
      "runners",
      `gone_at < ${CUTOFF}
        AND NOT EXISTS (SELECT FROM runs WHERE runs.runner_id = runners.id AND runs.lease_until IS NOT NULL)`,
    ),
  },
  ...ROLLUP_TABLES.flatMap((table) =>
    stepsOf(table).map((step) => ({
      days: ({ insightDays, insightDetailDays }: Retention) =>
        ({ 5: SHORT_SLOT_DAYS, 15: insightDetailDays, 60: insightDetailDays, 1440: insightDays })[step],
      statement: removing(table, `step = ${step} AND since < ${CUTOFF}`, `-${step}`),
    })),
  ),
];

function removing(table: string, condition: string, which = ""): Statement {
  return {
    name: `trim-${table}${which}`,
    text: `
      WITH gone AS (
        DELETE FROM ${table} WHERE ctid IN (
          SELECT ctid FROM ${table} WHERE ${condition} FOR UPDATE SKIP LOCKED LIMIT ${MAX_ROWS})
        RETURNING 1)
      SELECT count(*) AS count FROM gone`,
  };
}

/**
 * Removes old rows, some of each kind. Returns whether there are more. Any coordinator may do it. A kind that fails does not keep the
 * others: the failures are thrown together at the end.
 */
export async function trim(database: Database, retention: Retention): Promise<boolean> {
  let isMore = false;
  const errors: unknown[] = [];
  for (const { days, statement } of STATEMENTS) {
    const seconds = days(retention) * 86_400;
    if (!Number.isFinite(seconds)) continue;
    // A cut statement would be cut again in the next round, and nothing would ever be removed.
    try {
      const [row] = await database.run<{ count: number }>({ ...statement, isLong: true }, [seconds]);
      if ((row?.count ?? 0) >= MAX_ROWS) isMore = true;
    } catch (error) {
      if (!isOfRow(error)) throw error;
      errors.push(error);
    }
  }
  throwTogether(errors);
  return isMore;
}
