import type { Database, Statement } from "../database/database.ts";

/** How long things are kept, in days. `Infinity` keeps them. */
export interface Retention {
  /** Runs that have ended, with their hooks and approvals, and sessions that have none left, with their conversations. */
  readonly runDays: number;
  readonly eventDays: number;
  /** For how long the same Idempotency-Key means the same run. */
  readonly keyDays: number;
  /** Runners that are gone, and tokens that are no longer valid. */
  readonly otherDays: number;
}

export const DEFAULT_RETENTION: Retention = { runDays: 30, eventDays: 30, keyDays: 1, otherDays: 30 };

/** How many of a kind one statement removes, so that other statements do not wait long for its locks. */
const MAX_ROWS = 500;

const CUTOFF = "now() - make_interval(secs => $1)";

// In this order, because each makes rows of the next removable. Each returns how many it removed.
const STATEMENTS: readonly { readonly setting: keyof Retention; readonly statement: Statement }[] = [
  {
    setting: "eventDays",
    // The oldest, in the stream's order. A client that returns with a cursor before the mark learns that events are missing.
    statement: {
      name: "trim-events",
      text: `
        WITH gone AS (
          DELETE FROM events WHERE (xid, id) IN (
            SELECT xid, id FROM (SELECT * FROM events ORDER BY xid, id LIMIT ${MAX_ROWS}) AS oldest
            WHERE created_at < ${CUTOFF})
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
    setting: "runDays",
    statement: {
      name: "trim-runs",
      text: `
        WITH gone AS (
          DELETE FROM runs WHERE id IN (
            SELECT id FROM runs
            WHERE created_at < ${CUTOFF} AND finished_at < ${CUTOFF} AND NOT EXISTS (
              SELECT FROM run_hooks WHERE run_hooks.run_id = runs.id AND run_hooks.finished_at IS NULL)
            ORDER BY created_at FOR UPDATE SKIP LOCKED LIMIT ${MAX_ROWS})
          RETURNING id, attempt, error_code
        ), invalid_entries AS (
          DELETE FROM conversation_entries USING gone
          WHERE run_id = gone.id AND (conversation_entries.attempt <> gone.attempt OR gone.error_code = 'runner_lost')
        ), hooks AS (DELETE FROM run_hooks WHERE run_id IN (SELECT id FROM gone)),
        texts AS (DELETE FROM run_texts WHERE run_id IN (SELECT id FROM gone)),
        questions AS (DELETE FROM approvals WHERE run_id IN (SELECT id FROM gone))
        SELECT count(*) AS count FROM gone`,
    },
  },
  {
    setting: "runDays",
    statement: removing(
      "sessions",
      `created_at < ${CUTOFF} AND updated_at < ${CUTOFF} AND active_run_id IS NULL
        AND NOT EXISTS (SELECT FROM runs WHERE runs.session_id = sessions.id)
        AND NOT EXISTS (SELECT FROM sessions AS child WHERE child.parent_session_id = sessions.id)`,
    ),
  },
  {
    setting: "runDays",
    statement: removing(
      "conversation_entries",
      `created_at < ${CUTOFF} AND NOT EXISTS (SELECT FROM sessions WHERE sessions.id = session_id)`,
    ),
  },
  {
    setting: "runDays",
    statement: removing(
      "blueprints",
      `created_at < ${CUTOFF}
        AND NOT EXISTS (
          SELECT FROM agents WHERE agents.name = blueprints.name AND agents.revision = blueprints.revision)
        AND NOT EXISTS (
          SELECT FROM runs WHERE runs.agent_name = blueprints.name AND runs.revision = blueprints.revision)`,
    ),
  },
  { setting: "keyDays", statement: removing("idempotency_keys", `created_at < ${CUTOFF}`) },
  {
    setting: "otherDays",
    // A token whose maker is gone is invalid, whatever its own columns are.
    statement: removing(
      "tokens",
      `revoked_at < ${CUTOFF} OR expires_at < ${CUTOFF} OR (made_with IS NOT NULL AND created_at < ${CUTOFF}
        AND NOT EXISTS (SELECT FROM tokens AS maker WHERE maker.id = tokens.made_with))`,
    ),
  },
  {
    setting: "otherDays",
    statement: removing(
      "runners",
      `gone_at < ${CUTOFF}
        AND NOT EXISTS (SELECT FROM runs WHERE runs.runner_id = runners.id AND runs.lease_until IS NOT NULL)`,
    ),
  },
];

function removing(table: string, condition: string): Statement {
  return {
    name: `trim-${table}`,
    text: `
      WITH gone AS (
        DELETE FROM ${table} WHERE ctid IN (
          SELECT ctid FROM ${table} WHERE ${condition} FOR UPDATE SKIP LOCKED LIMIT ${MAX_ROWS})
        RETURNING 1)
      SELECT count(*) AS count FROM gone`,
  };
}

/** Removes old rows, some of each kind. Returns whether there are more. Any coordinator may do it. */
export async function trim(database: Database, retention: Retention): Promise<boolean> {
  let isMore = false;
  for (const { setting, statement } of STATEMENTS) {
    const seconds = retention[setting] * 86_400;
    if (!Number.isFinite(seconds)) continue;
    // A cut statement would be cut again in the next round, and nothing would ever be removed.
    const [row] = await database.run<{ count: number }>({ ...statement, isLong: true }, [seconds]);
    if ((row?.count ?? 0) >= MAX_ROWS) isMore = true;
  }
  return isMore;
}
