import type { Queries, Statement } from "../database/database.ts";
import type { HookRow } from "../store/rows.ts";

/** What one coordinator has room for. A hook is `sync` when a run waits for it. */
export interface HookRoom {
  /** How many more URLs may be called, for each mode. */
  readonly sync: number;
  readonly async: number;
  /** How many more with `sync` if their target has its first calls already. */
  readonly syncBeyondFirst: number;
  readonly firstCalls: number;
  /** How many calls of one target may be active at a time, for each mode. */
  readonly perTarget: number;
  /** The targets that are being called. */
  readonly active: readonly { readonly mode: string; readonly target: string; readonly count: number }[];
}

/** How many agent hooks of a mode one claim takes: each costs a transaction, and no slot. */
const MAX_AGENT_HOOKS = 32;

/**
 * SQL for the modes and targets that hooks wait for, as `targets`. It goes from one target to the next through an index, so
 * that the hooks of a target that is not called cost nothing, however many wait.
 */
export const WAITING_TARGETS = `targets (mode, target) AS (
      SELECT modes.mode, (SELECT min(target) FROM run_hooks WHERE state = 'pending' AND run_hooks.mode = modes.mode)
      FROM (VALUES ('sync'), ('async')) AS modes (mode)
      UNION ALL
      SELECT known.mode, (
        SELECT min(target) FROM run_hooks
        WHERE state = 'pending' AND run_hooks.mode = known.mode AND run_hooks.target > known.target)
      FROM targets AS known WHERE known.target IS NOT NULL
    )`;

const CLAIM: Statement = {
  name: "claim-hooks",
  text: `
    WITH RECURSIVE ${WAITING_TARGETS}, called AS (
      SELECT known.mode, known.target, coalesce(active.count, 0) AS count
      FROM targets AS known LEFT JOIN unnest($5::text[], $6::text[], $7::int[]) AS active (mode, target, count)
        ON active.mode = known.mode AND active.target = known.target
      WHERE known.target IS NOT NULL
    ), oldest AS (
      SELECT called.mode, called.target = '' AS is_agent, due.id, due.due_at,
        called.mode = 'sync' AND called.count
          + row_number() OVER (PARTITION BY called.mode, called.target ORDER BY due.due_at) > $9::int AS is_beyond_first
      FROM called, LATERAL (
        SELECT id, due_at FROM run_hooks
        WHERE state = 'pending' AND run_hooks.mode = called.mode AND run_hooks.target = called.target AND due_at <= now()
        ORDER BY due_at FOR UPDATE SKIP LOCKED
        LIMIT CASE WHEN called.target = '' THEN ${MAX_AGENT_HOOKS} ELSE greatest(0, least(
          CASE called.mode WHEN 'sync' THEN least($2::int, greatest(0, $9::int - called.count) + $8::int) ELSE $3::int END,
          $4::int - called.count)) END
      ) AS due
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY mode, is_agent ORDER BY is_beyond_first, due_at) AS position FROM oldest
    )
    UPDATE run_hooks SET state = 'running', attempt = attempt + 1, lease_token = gen_random_uuid(),
      lease_until = now() + make_interval(secs => $1)
    WHERE id IN (
      SELECT id FROM ranked WHERE is_agent OR position <= CASE
        WHEN is_beyond_first THEN $8::int WHEN mode = 'sync' THEN $2::int ELSE $3::int END)
    RETURNING *`,
};

/**
 * Takes hooks that are due and that there is room for, under a lease: on a crash the lease expires and another coordinator takes
 * them. Those that runs wait for come first, of these the first calls of each target, then those that have been due for longest.
 */
export async function claimHooks(
  queries: Queries,
  { sync, async, perTarget, active, syncBeyondFirst, firstCalls }: HookRoom,
  leaseSeconds: number,
): Promise<readonly HookRow[]> {
  const rows = await queries.run<HookRow>(CLAIM, [
    leaseSeconds,
    sync,
    async,
    perTarget,
    active.map(({ mode }) => mode),
    active.map(({ target }) => target),
    active.map(({ count }) => count),
    syncBeyondFirst,
    firstCalls,
  ]);
  const order = ({ mode, due_at }: HookRow) => `${mode === "sync" ? 0 : 1} ${due_at}`;
  return rows.toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
}
