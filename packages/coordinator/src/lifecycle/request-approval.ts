import type { NotBy } from "@tenterhook/protocol/internal";
import type { NewRunEvent } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { callDurationMs, hookFacts } from "../store/hook-target.ts";
import { newId } from "../store/new-id.ts";
import type { ApprovalRow, HookRow, Json, RunRow } from "../store/rows.ts";
import { changeRun, recordEvent } from "./run-changes.ts";
import type { Transition } from "./transition.ts";

const INSERT: Statement = {
  name: "insert-approval",
  text: `
    INSERT INTO approvals (id, run_id, hook_id, hook_type, asked_by, reason, subject, state, expires_at, not_by)
    VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, 'pending', now() + make_interval(secs => $8), $9)
    RETURNING *`,
};

/** What a hook asks. */
export interface Question {
  readonly reason: string;
  /** Who may not decide. */
  readonly notBy?: NotBy | undefined;
}

/** A hook asks for a person's decision: the run waits for it, up to the limit. */
export async function requestApproval(
  { queries, limits }: Transition,
  run: RunRow,
  hook: HookRow,
  { reason, notBy }: Question,
): Promise<void> {
  const { target_name, hook_name } = hookFacts(hook);
  const approval = await insertApproval(queries, {
    runId: run.id,
    hookId: hook.id,
    hookType: hook.hook_type,
    askedBy: target_name,
    reason,
    notBy,
    subject: hook.input,
    seconds: limits.approvalSeconds,
  });
  const event: NewRunEvent<"approval_requested"> = {
    type: "approval_requested",
    data: {
      approval_id: approval.id,
      reason,
      hook_type: hook.hook_type,
      ...(hook_name !== undefined && { hook_name }),
      target_name,
      duration_ms: callDurationMs(hook),
      ...(notBy !== undefined && { not_by: notBy }),
    },
  };
  if (run.state === "preparing")
    await changeRun(queries, run, "preparing", { waiting_for: "approval" }, event);
  else await recordEvent(queries, run.id, event.type, event.data);
}

export async function insertApproval(
  queries: Queries,
  approval: {
    readonly runId: string;
    readonly hookId: string | null;
    readonly hookType: string;
    readonly askedBy: string;
    readonly reason: string;
    readonly notBy?: NotBy | undefined;
    readonly subject: Json;
    readonly seconds: number;
  },
): Promise<ApprovalRow> {
  const [row] = await queries.run<ApprovalRow>(INSERT, [
    newId("apr"),
    approval.runId,
    approval.hookId,
    approval.hookType,
    approval.askedBy,
    approval.reason,
    JSON.stringify(approval.subject),
    approval.seconds,
    approval.notBy ?? null,
  ]);
  if (row === undefined) throw new Error("the approval was not stored");
  return row;
}
