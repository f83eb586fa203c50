import type { Queries, Statement } from "../database/database.ts";
import { lockHook } from "../store/hook-rows.ts";
import { hookFacts } from "../store/hook-target.ts";
import type { HookRow } from "../store/rows.ts";
import { lockRun } from "../store/run-rows.ts";
import { recordEvent } from "./run-changes.ts";

/** When a hook is tried again, and why it is not done. */
export interface Postponement {
  readonly afterMs: number;
  /** Why the call of its URL failed; `undefined` if it could not even be begun. */
  readonly failure?: string;
}

const POSTPONE: Statement = {
  name: "postpone-hook",
  text: `
    UPDATE run_hooks SET state = 'pending', lease_until = NULL,
      due_at = now() + make_interval(secs => $2),
      calls = calls + CASE WHEN $3::text IS NULL THEN 0 ELSE 1 END,
      waiting = CASE WHEN $3::text IS NULL THEN waiting ELSE $3::jsonb END
    WHERE id = $1
    RETURNING *`,
};

/**
 * Gives a hook back to the store until it is tried again. So a pause occupies no slot, and it does not end with the coordinator.
 * Nothing happens when the lease is lost, or the hook has ended.
 */
export async function postponeHook(
  queries: Queries,
  { id, run_id, lease_token }: HookRow,
  { afterMs, failure }: Postponement,
): Promise<void> {
  await lockRun(queries, run_id);
  const hook = await lockHook(queries, id);
  if (hook?.state !== "running" || hook.lease_token !== lease_token) return;
  const detail = `call ${hook.calls + 1} failed and is repeated: ${failure}`;
  const pause_seconds = afterMs / 1_000;
  const waiting = failure === undefined ? null : { reason: "retry" as const, detail, failure, pause_seconds };
  const [row] = await queries.run<HookRow>(POSTPONE, [id, pause_seconds, waiting && JSON.stringify(waiting)]);
  // The definition of a hook that could not be begun may be unreadable.
  if (row === undefined || waiting === null) return;
  const facts = { ...hookFacts(row), reason: waiting.reason, detail, until: row.due_at };
  await recordEvent(queries, run_id, "hook_waiting", facts);
}
