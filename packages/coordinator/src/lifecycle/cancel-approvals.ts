import type { Queries, Statement } from "../database/database.ts";
import { recordEvent } from "./run-changes.ts";

const CANCEL: Statement = {
  name: "cancel-approvals",
  text: `
    UPDATE approvals SET state = 'cancelled', decided_at = now(),
      decision = jsonb_build_object('type', 'cancel', 'reason', $2::text)
    WHERE run_id = $1 AND state = 'pending' RETURNING id`,
};

/** Ends the pending approvals of a run whose answers are no longer needed. The run is locked, so that none is being decided. */
export async function cancelApprovals(queries: Queries, runId: string, reason: string): Promise<void> {
  for (const { id } of await queries.run<{ id: string }>(CANCEL, [runId, reason])) {
    await recordEvent(queries, runId, "approval_decided", { approval_id: id, decision: "cancel", reason });
  }
}
