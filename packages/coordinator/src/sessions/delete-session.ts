import type { Queries, Statement } from "../database/database.ts";
import { COUNT_REMOVED, COUNTED_OF_REMOVED } from "../insights/count-removed.ts";
import { notFound, Problem } from "../problem.ts";
import { eventType } from "../store/event-type.ts";

// Not with OR, for which there is no index. The session, and the sessions whose runs executed hooks of its runs.
const DELETED_SESSIONS = `SELECT id FROM sessions WHERE id = $1
      UNION ALL SELECT id FROM sessions WHERE parent_session_id = $1 AND kind = 'hook'`;

// Runs before sessions, and child sessions before their parent: that is the order of every transaction that ends a run.
const LOCK_RUNS: Statement = {
  name: "lock-runs-around-session",
  text: `
    SELECT id FROM runs WHERE session_id IN (
      SELECT id FROM sessions WHERE id = $1 UNION ALL SELECT id FROM sessions WHERE parent_session_id = $1)
    ORDER BY id FOR UPDATE`,
};

const LOCK_CHILDREN: Statement = {
  name: "lock-children-of-session",
  text: "SELECT id FROM sessions WHERE parent_session_id = $1 ORDER BY id FOR UPDATE",
};

const LOCK_SESSION: Statement = {
  name: "lock-session",
  text: "SELECT parent_session_id FROM sessions WHERE id = $1 FOR UPDATE",
};

const ACTIVE: Statement = {
  name: "active-in-session",
  text: `
    SELECT runs.id AS run_id, NULL AS hook_type FROM runs
    WHERE session_id IN (${DELETED_SESSIONS}) AND finished_at IS NULL
    UNION ALL
    SELECT runs.id, run_hooks.hook_type FROM runs JOIN run_hooks ON run_hooks.run_id = runs.id
    WHERE runs.session_id IN (${DELETED_SESSIONS}) AND run_hooks.finished_at IS NULL
    LIMIT 1`,
};

const READ_RUNS: Statement = {
  name: "runs-of-sessions",
  text: "SELECT id FROM runs WHERE session_id = ANY ($1::text[])",
};

const READ_SESSIONS: Statement = { name: "sessions-to-delete", text: DELETED_SESSIONS };

// Runs of child sessions are kept, without their parent. Values: the session, the runs that are deleted.
const UNLINK_RUNS: Statement = {
  name: "unlink-runs-of-children",
  text: `
    UPDATE runs SET parent_run_id = NULL, hook_id = NULL
    WHERE session_id IN (SELECT id FROM sessions WHERE parent_session_id = $1 AND kind <> 'hook')
      AND parent_run_id = ANY ($2::text[])`,
};

const UNLINK_SESSIONS: Statement = {
  name: "unlink-child-sessions",
  text: "UPDATE sessions SET parent_session_id = NULL WHERE parent_session_id = $1 AND kind <> 'hook'",
};

/** Values: the session's parent, the runs that are deleted. */
const UNLINK_CALLBACKS: Statement = {
  name: "unlink-callbacks",
  text: "UPDATE runs SET parent_run_id = NULL WHERE session_id = $1 AND parent_run_id = ANY ($2::text[])",
};

const UNLINK_HOOKS: Statement = {
  name: "unlink-hooks-of-others",
  text: "UPDATE run_hooks SET child_run_id = NULL WHERE child_run_id = ANY ($1::text[])",
};

const deletion = (table: string, column: string): Statement => ({
  name: `delete-${table}-by-${column}`,
  text: `DELETE FROM ${table} WHERE ${column} = ANY ($1::text[])`,
});

const DELETE_BY_RUN = [
  deletion("approvals", "run_id"),
  deletion("run_hooks", "run_id"),
  deletion("runner_hook_results", "run_id"),
  deletion("idempotency_keys", "run_id"),
  deletion("run_texts", "run_id"),
];

const DELETE_BY_SESSION = [
  deletion("conversation_entries", "session_id"),
  deletion("events", "session_id"),
  {
    name: "delete-runs-by-session_id",
    text: `
      WITH gone AS (DELETE FROM runs WHERE session_id = ANY ($1::text[]) RETURNING ${COUNTED_OF_REMOVED})
      ${COUNT_REMOVED}`,
  },
  deletion("sessions", "id"),
];

// It has nothing of the session but its id, and the name of the person or the token that deleted it. Every coordinator drops what it keeps of the session in memory when it reads this.
const RECORD: Statement = {
  name: "record-session-deleted",
  text: `
    INSERT INTO events (session_id, type, data)
    SELECT id, ${eventType("session_deleted")}, jsonb_build_object('by', $2::text) FROM unnest($1::text[]) AS id`,
};

/**
 * Deletes a session with its runs, their events, hooks, approvals, conversation and idempotency keys, and with the sessions
 * that executed its hooks. Sessions that it started otherwise stay, without a parent. Refused while anything of it is active.
 */
export async function deleteSession(queries: Queries, id: string, by: string): Promise<void> {
  await refuseActive(queries, id);
  await queries.run(LOCK_RUNS, [id]);
  await queries.run(LOCK_CHILDREN, [id]);
  const [session] = await queries.run<{ parent_session_id: string | null }>(LOCK_SESSION, [id]);
  if (session === undefined) throw notFound("session", id);
  // Again: a run may have been started before the session was locked.
  await refuseActive(queries, id);

  const sessionIds = listIds(await queries.run<{ id: string }>(READ_SESSIONS, [id]));
  const runIds = listIds(await queries.run<{ id: string }>(READ_RUNS, [sessionIds]));
  await queries.run(UNLINK_RUNS, [id, runIds]);
  await queries.run(UNLINK_SESSIONS, [id]);
  if (session.parent_session_id !== null) {
    await queries.run(UNLINK_CALLBACKS, [session.parent_session_id, runIds]);
  }
  for (const statement of DELETE_BY_RUN) await queries.run(statement, [runIds]);
  await queries.run(UNLINK_HOOKS, [runIds]);
  for (const statement of DELETE_BY_SESSION) await queries.run(statement, [sessionIds]);
  await queries.run(RECORD, [sessionIds, by]);
}

interface Active {
  readonly run_id: string;
  readonly hook_type: string | null;
}

async function refuseActive(queries: Queries, id: string): Promise<void> {
  const [active] = await queries.run<Active>(ACTIVE, [id]);
  if (active === undefined) return;
  const { run_id, hook_type } = active;
  throw hook_type === null
    ? new Problem("session_busy", `the run "${run_id}" of the session "${id}" has not ended`, {
        hint: "Wait for its end, or stop it: POST /runs/{id}/stop.",
      })
    : new Problem("session_busy", `the hook ${hook_type} of the run "${run_id}" has not ended`, {
        hint: "Wait for its end; what it started can be stopped: POST /runs/{id}/stop.",
      });
}

function listIds(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
