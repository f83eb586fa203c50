import type { ApprovalBar } from "@tenterhook/protocol/runs";
import { pinnedBlueprint } from "../agents/blueprint-rows.ts";
import type { Queries, Statement } from "../database/database.ts";
import { APPROVAL_STATES } from "../domain/approval-state.ts";
import { violationText } from "../domain/json-schema.ts";
import { findBar, type TokenHolder } from "../domain/requesters.ts";
import { isFinal } from "../domain/run-state.ts";
import { lockApproval, readApproval } from "../store/approval-rows.ts";
import { lockHook } from "../store/hook-rows.ts";
import { hookFacts } from "../store/hook-target.ts";
import type { ApprovalRow, Json } from "../store/rows.ts";
import { lockRun } from "../store/run-rows.ts";
import { cancelApprovals } from "./cancel-waits.ts";
import { applyDecision } from "./close-hook.ts";
import { setHook } from "./hook-rows.ts";
import { recordEvent } from "./run-changes.ts";
import type { Transition } from "./transition.ts";

/** The decision of a person, or that there was none in time. */
export type ApprovalDecision =
  | { readonly type: "approve" }
  | { readonly type: "edit"; readonly value: Json }
  | { readonly type: "reject"; readonly reason?: string | undefined }
  | { readonly type: "expire" };

export type ApprovalOutcome =
  | { readonly type: "decided"; readonly approval: ApprovalRow }
  | { readonly type: "unknown" }
  /** It was decided before. */
  | { readonly type: "settled"; readonly approval: ApprovalRow }
  /** The one who decides is excluded. */
  | { readonly type: "barred"; readonly bar: ApprovalBar }
  | { readonly type: "violation"; readonly problem: string };

const SETTLE: Statement = {
  name: "settle-approval",
  text: `
    UPDATE approvals SET state = $2, decision = $3::jsonb, decided_by = $4, decided_at = now()
    WHERE id = $1 AND state ${APPROVAL_STATES.before("approved")} RETURNING *`,
};

/** Settles an approval, once; the run continues or fails by it. */
export async function decideApproval(
  transition: Transition,
  id: string,
  decision: ApprovalDecision,
  decider: TokenHolder | null,
): Promise<ApprovalOutcome> {
  const { queries } = transition;
  const known = await readApproval(queries, id);
  // The run's lock first, as everywhere: a run that ends cancels its approvals.
  const run = known && (await lockRun(queries, known.run_id));
  if (run !== undefined && isFinal(run.state)) await cancelApprovals(queries, run.id, "the run has ended");
  const approval = await lockApproval(queries, id);
  if (approval === undefined) return { type: "unknown" };
  if (approval.state !== "pending") return { type: "settled", approval };
  const bar = approval.not_by !== null && decider !== null && findBar(run?.requesters ?? [], decider);
  if (bar) return { type: "barred", bar };
  const problem = decision.type === "edit" ? await editProblem(queries, approval, decision.value) : undefined;
  if (problem !== undefined) return { type: "violation", problem };
  const state = decision.type === "expire" ? "expired" : decision.type === "reject" ? "rejected" : "approved";
  const decidedBy = decider?.name ?? null;
  const [settled] = await queries.run<ApprovalRow>(SETTLE, [id, state, JSON.stringify(decision), decidedBy]);
  const { run_id } = approval;
  await recordEvent(queries, run_id, "approval_decided", {
    approval_id: id,
    decision: decision.type,
    ...(decidedBy !== null && { by: decidedBy, decided_by: decidedBy }),
  });
  if (approval.hook_id !== null) await answerHook(transition, approval, approval.hook_id, decision);
  return { type: "decided", approval: settled ?? approval };
}

/** Ends the hook that asked: the run continues unchanged, continues with the edited value, or is refused. */
async function answerHook(
  transition: Transition,
  approval: ApprovalRow,
  hookId: string,
  decision: ApprovalDecision,
): Promise<void> {
  const { queries } = transition;
  const run = await lockRun(queries, approval.run_id);
  const hook = await lockHook(queries, hookId);
  if (run === undefined || hook === undefined || hook.finished_at !== null) return;
  const facts = {
    ...hookFacts(hook),
    ...((await isTallied(queries, approval)) && { tallied: true as const }),
  };
  const field = hook.hook_type === "on_run_start" ? "parameters" : "tool_input";
  if (decision.type === "approve" || decision.type === "edit") {
    const changes = decision.type === "edit" ? { [field]: decision.value } : {};
    await setHook(queries, hook.id, "done", { output: changes });
    await recordEvent(queries, run.id, "hook_complete", { ...facts, action: "continue" });
    await applyDecision(transition, run.id, hook, { type: "continue", changes });
    return;
  }
  const asked = approval.reason;
  const reason =
    decision.type === "expire"
      ? `${asked} (no decision in time)`
      : (decision.reason ?? `${asked} (a person rejected it)`);
  await setHook(queries, hook.id, "blocked", { output: { action: "block", block_reason: reason } });
  await recordEvent(queries, run.id, "hook_blocked", { ...facts, block_reason: reason });
  await applyDecision(transition, run.id, hook, { type: "block", reason });
}

// A coordinator of an earlier version has asked without the fields by which a question is counted.
const TALLIED: Statement = {
  name: "is-question-tallied",
  text: `
    SELECT EXISTS (SELECT FROM events WHERE run_id = $1 AND type = 'approval_requested' AND data->>'approval_id' = $2
      AND data ? 'target_name') AS is_tallied`,
};

/** Whether the call of the hook was counted when it asked. */
async function isTallied(queries: Queries, { run_id, id }: ApprovalRow): Promise<boolean> {
  const [row] = await queries.run<{ is_tallied: boolean }>(TALLIED, [run_id, id]);
  return row?.is_tallied === true;
}

async function editProblem(
  queries: Queries,
  approval: ApprovalRow,
  value: Json,
): Promise<string | undefined> {
  if (approval.hook_type !== "on_run_start") return undefined;
  const run = await lockRun(queries, approval.run_id);
  if (run === undefined) return undefined;
  const { parameters_schema } = await pinnedBlueprint(queries, run.agent_name, run.revision);
  return violationText(parameters_schema, value, "parameters");
}
