import type { Queries, Statement } from "../database/database.ts";
import type { HookRow } from "../store/rows.ts";

/** What one coordinator has room for. A hook is `sync` when a run waits for it. */
export interface HookRoom {
  /** How many more URLs may be called, for each mode. */
  readonly sync: number;
  readonly async: number;
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
    WITH RECURSIVE ${WAITING_TARGETS}, oldest AS (
      SELECT known.mode, known.target = '' AS is_agent, due.id,
        row_number() OVER (PARTITION BY known.mode, known.target = '' ORDER BY due.due_at) AS position
      FROM targets AS known, LATERAL (
        SELECT id, due_at FROM run_hooks
        WHERE state = 'pending' AND run_hooks.mode = known.mode AND run_hooks.target = known.target AND due_at <= now()
        ORDER BY due_at FOR UPDATE SKIP LOCKED
        LIMIT CASE WHEN known.target = '' THEN ${MAX_AGENT_HOOKS} ELSE greatest(0, least(
          CASE known.mode WHEN 'sync' THEN $2::int ELSE $3::int END,
          $4::int - coalesce((
            SELECT count FROM unnest($5::text[], $6::text[], $7::int[]) AS active (mode, target, count)
            WHERE active.mode = known.mode AND active.target = known.target), 0))) END
      ) AS due
      WHERE known.target IS NOT NULL
    )
    UPDATE run_hooks SET state = 'running', attempt = attempt + 1, lease_token = gen_random_uuid(),
      lease_until = now() + make_interval(secs => $1)
    WHERE id IN (
      SELECT id FROM oldest
      WHERE is_agent OR position <= CASE mode WHEN 'sync' THEN $2::int ELSE $3::int END)
    RETURNING *`,
};

/**
 * Takes hooks that are due and that there is room for, under a lease: on a crash the lease expires and another coordinator takes
 * them. Those that runs wait for come first, then those that have been due for longest.
 */
export async function claimHooks(
  queries: Queries,
  { sync, async, perTarget, active }: HookRoom,
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
  ]);
  const order = ({ mode, due_at }: HookRow) => `${mode === "sync" ? 0 : 1} ${due_at}`;
  return rows.toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
}
