import type { Queries, Statement } from "../database/database.ts";
import { APPROVAL_STATES } from "../domain/approval-state.ts";
import type { HookRow } from "../store/rows.ts";
import { awaitedHooks, setHook } from "./hook-rows.ts";
import { recordEvent } from "./run-changes.ts";

/** Cancels what a locked run waits for: its hooks and its approvals. Returns the hooks. */
export async function cancelWaits(
  queries: Queries,
  runId: string,
  reason: string,
): Promise<readonly HookRow[]> {
  const hooks = await awaitedHooks(queries, runId);
  for (const hook of hooks) await setHook(queries, hook.id, "cancelled");
  await cancelApprovals(queries, runId, reason);
  return hooks;
}

const CANCEL: Statement = {
  name: "cancel-approvals",
  text: `
    UPDATE approvals SET state = 'cancelled', decided_at = now(),
      decision = jsonb_build_object('type', 'cancel', 'reason', $2::text)
    WHERE run_id = $1 AND state ${APPROVAL_STATES.before("cancelled")} RETURNING id`,
};

/** Cancels the pending approvals of a run whose decisions are no longer needed. The run is locked, so none is being decided. */
export async function cancelApprovals(queries: Queries, runId: string, reason: string): Promise<void> {
  for (const { id } of await queries.run<{ id: string }>(CANCEL, [runId, reason])) {
    await recordEvent(queries, runId, "approval_decided", { approval_id: id, decision: "cancel", reason });
  }
}
