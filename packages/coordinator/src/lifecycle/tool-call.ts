import type { NotBy } from "@tenterhook/protocol/internal";
import type { Queries, Statement } from "../database/database.ts";
import type { Limits } from "../domain/limits.ts";
import type { ApprovalRow, HookRow, Json } from "../store/rows.ts";
import { scheduleHook } from "./hook-rows.ts";
import { lockStartedRun } from "./reports.ts";
import { insertApproval } from "./request-approval.ts";
import { recordEvent } from "./run-changes.ts";

/** A tool call that a run is about to make. */
export interface ToolCall {
  readonly tool_use_id: string;
  readonly tool_name: string;
  readonly tool_input: Json;
}

/** The verdict about a tool call. */
export type ToolVerdict =
  | { readonly action: "continue"; readonly tool_input?: Json }
  | { readonly action: "block"; readonly block_reason: string }
  /** Not decided yet: ask again. */
  | { readonly action: "wait" };

/** Asks the run's `on_tool_call` hook about a call, once for each call. `undefined` when the run is not the runner's. */
export async function askAboutTool(
  queries: Queries,
  runId: string,
  token: string,
  call: ToolCall,
  limits: Limits,
): Promise<ToolVerdict | undefined> {
  const run = await lockStartedRun(queries, runId, token);
  if (run === undefined) return undefined;
  const { on_tool_call } = run.hooks;
  if (on_tool_call === undefined) return { action: "continue" };
  const { parameters, agent_name, session_id } = run;
  const input = { parameters, agent_name, session_id, run_id: runId, ...call };
  const subject = `${run.attempt}:${call.tool_use_id}`;
  await scheduleHook(queries, run, "on_tool_call", on_tool_call, input, {
    subject,
    waitSeconds: limits.hookWaitSeconds,
  });
  if (on_tool_call.mode === "async") return { action: "continue" };
  return toolVerdict(queries, runId, subject);
}

const READ: Statement = {
  name: "read-tool-hook",
  text: "SELECT * FROM run_hooks WHERE run_id = $1 AND hook_type = 'on_tool_call' AND subject = $2",
};

async function toolVerdict(queries: Queries, runId: string, subject: string): Promise<ToolVerdict> {
  const [hook] = await queries.run<HookRow>(READ, [runId, subject]);
  // What it would have done is in its row, and has no effect.
  if (hook?.definition.enforce === false && (hook.state === "done" || hook.state === "failed"))
    return { action: "continue" };
  switch (hook?.state) {
    case "done": {
      const { tool_input } = (hook.output ?? {}) as { readonly tool_input?: Json };
      return { action: "continue", ...(tool_input !== undefined && { tool_input }) };
    }
    case "blocked": {
      const { block_reason = "no reason given" } = (hook.output ?? {}) as { readonly block_reason?: string };
      return { action: "block", block_reason };
    }
    case "failed":
      if (hook.definition.on_error === "continue") return { action: "continue" };
      return { action: "block", block_reason: `the hook on_tool_call failed: ${hook.error}` };
    case "cancelled":
      return { action: "block", block_reason: "the run has ended" };
    default:
      return { action: "wait" };
  }
}

/** A question of a hook on the runner to a person. */
export interface ApprovalQuestion {
  readonly key: string;
  readonly hook: string;
  readonly reason: string;
  readonly not_by?: NotBy | undefined;
  readonly subject: Json;
}

/** A hook on the runner asks for a person's decision: the approval is created here, once for each call. */
export async function askPerson(
  queries: Queries,
  runId: string,
  token: string,
  asked: ApprovalQuestion,
  limits: Limits,
): Promise<ApprovalRow | undefined> {
  const run = await lockStartedRun(queries, runId, token);
  if (run === undefined) return undefined;
  const [known] = await queries.run<ApprovalRow>(KNOWN, [runId, asked.key]);
  if (known !== undefined) return known;
  const approval = await insertApproval(queries, {
    runId,
    hookId: null,
    hookType: "before_tool",
    askedBy: asked.hook,
    reason: asked.reason,
    notBy: asked.not_by,
    subject: { ...asked.subject, key: asked.key },
    seconds: limits.approvalSeconds,
  });
  await recordEvent(queries, runId, "approval_requested", {
    approval_id: approval.id,
    reason: asked.reason,
    hook: asked.hook,
    ...(asked.not_by !== undefined && { not_by: asked.not_by }),
  });
  return approval;
}

const KNOWN: Statement = {
  name: "known-approval",
  text: "SELECT * FROM approvals WHERE run_id = $1 AND subject->>'key' = $2 AND state <> 'cancelled'",
};
