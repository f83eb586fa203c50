import type { WouldHave } from "@tenterhook/protocol";
import { pinnedBlueprint } from "../agents/blueprint-rows.ts";
import type { Queries } from "../database/database.ts";
import { fitDecision } from "../domain/fit-decision.ts";
import { decide, type HookDecision, type HookReply, isObserver } from "../domain/hook-decision.ts";
import { isFinal } from "../domain/run-state.ts";
import { lockHook } from "../store/hook-rows.ts";
import { callDurationMs, hookFacts } from "../store/hook-target.ts";
import type { HookRow, Json, RunRow } from "../store/rows.ts";
import { lockNextRun, lockRun } from "../store/run-rows.ts";
import { endHookClosed, endRun } from "./end-run.ts";
import { setHook } from "./hook-rows.ts";
import { requestApproval } from "./request-approval.ts";
import { changeRun, recordEvent } from "./run-changes.ts";
import type { Transition } from "./transition.ts";

/**
 * Ends a hook with its reply and applies the reply to the run, in one transaction. A hook that has ended already stays as it is, so
 * that a late or repeated reply changes nothing; so does one whose approval is pending, which only a decision ends.
 */
export async function closeHook(
  transition: Transition,
  { id, run_id }: HookRow,
  reply: HookReply,
): Promise<void> {
  const { queries } = transition;
  const run = await lockNextRun(queries, run_id);
  const hook = await lockHook(queries, id);
  if (run === undefined || hook === undefined || hook.finished_at !== null || hook.state === "asking") return;
  const outcome = await fitDecision(hook, decide(hook.hook_type, hook.definition.on_error, reply), () =>
    pinnedBlueprint(queries, run.agent_name, run.revision),
  );
  if (hook.definition.enforce === false) {
    await recordNotEnforced(queries, hook, outcome);
    await applyDecision(transition, run.id, hook, { type: "continue", changes: {} });
    return;
  }
  await record(queries, hook, outcome);
  if (outcome.type === "ask") await requestApproval(transition, run, hook, outcome);
  else await applyDecision(transition, run.id, hook, outcome);
}

async function record(queries: Queries, hook: HookRow, decision: HookDecision): Promise<void> {
  const facts = timedFacts(hook);
  switch (decision.type) {
    case "continue": {
      await setHook(queries, hook.id, "done", { output: decision.changes });
      const isGate =
        hook.hook_type === "on_run_start" ||
        hook.hook_type === "on_tool_call" ||
        hook.hook_type === "on_result";
      await recordEvent(queries, hook.run_id, "hook_complete", {
        ...facts,
        ...(isGate && { action: "continue" }),
        ...(Object.keys(decision.changes).length > 0 && { changed: true }),
      });
      return;
    }
    case "block":
      await setHook(queries, hook.id, "blocked", {
        output: { action: "block", block_reason: decision.reason },
      });
      await recordEvent(queries, hook.run_id, "hook_complete", { ...facts, action: "block" });
      await recordEvent(queries, hook.run_id, "hook_blocked", { ...facts, block_reason: decision.reason });
      return;
    case "ask":
      await setHook(queries, hook.id, "asking", {
        output: {
          action: "ask",
          reason: decision.reason,
          ...(decision.notBy !== undefined && { not_by: decision.notBy }),
        },
      });
      return;
    case "failed":
      await recordFailure(queries, hook, decision, hook.definition.on_error);
  }
}

/** Records what a hook that is not enforced would have done; its row has what it answered. */
async function recordNotEnforced(queries: Queries, hook: HookRow, decision: HookDecision): Promise<void> {
  if (decision.type === "failed") {
    await recordFailure(queries, hook, decision, "continue");
    return;
  }
  const { verdict, output } = readNotEnforced(hook, decision);
  await setHook(queries, hook.id, "done", { output, wouldHave: verdict });
  await recordEvent(queries, hook.run_id, "hook_complete", {
    ...timedFacts(hook),
    ...(!isObserver(hook.hook_type) && { action: "continue" as const }),
    ...(verdict !== undefined && { not_enforced: verdict }),
    ...(decision.type !== "continue" && { reason: decision.reason }),
  });
}

function readNotEnforced(
  { input }: HookRow,
  decision: Exclude<HookDecision, { type: "failed" }>,
): { readonly verdict: WouldHave | undefined; readonly output: Json } {
  switch (decision.type) {
    case "block":
      return { verdict: "would_block", output: { action: "block", block_reason: decision.reason } };
    case "ask":
      return { verdict: "would_ask", output: { action: "ask", reason: decision.reason } };
    case "continue": {
      const isChanged = Object.entries(decision.changes).some(
        ([field, value]) => JSON.stringify(value) !== JSON.stringify(input[field]),
      );
      return { verdict: isChanged ? "would_change" : undefined, output: decision.changes };
    }
  }
}

async function recordFailure(
  queries: Queries,
  hook: HookRow,
  { error, timedOut }: Extract<HookDecision, { type: "failed" }>,
  on_error_behavior: "block" | "continue",
): Promise<void> {
  await setHook(queries, hook.id, "failed", { error });
  const failed = { ...timedFacts(hook), error, on_error_behavior };
  if (timedOut) await recordEvent(queries, hook.run_id, "hook_timeout", failed);
  await recordEvent(queries, hook.run_id, "hook_failed", failed);
}

function timedFacts(hook: HookRow) {
  return { ...hookFacts(hook), duration_ms: callDurationMs(hook) };
}

/** Applies the end of a hook to its run. */
export async function applyDecision(
  transition: Transition,
  runId: string,
  hook: HookRow,
  outcome: Exclude<HookDecision, { type: "ask" }>,
): Promise<void> {
  // Read again: recording the end has counted the run's events.
  const run = await lockRun(transition.queries, runId);
  if (run === undefined) return;
  if (isObserver(hook.hook_type)) {
    if (hook.mode === "sync") await endHookClosed(transition, run);
    return;
  }
  // The answer to a tool call is the hook's row itself; the runner waits for it.
  if (hook.hook_type === "on_tool_call" || isFinal(run.state)) return;
  const refusal = createRefusal(hook, outcome);
  const changes = outcome.type === "continue" ? outcome.changes : {};
  if (refusal !== undefined) await endRun(transition, run, { status: "failed", ...refusal });
  else if (hook.hook_type === "on_run_start") await prepared(transition.queries, run, changes);
  else await endRun(transition, run, { status: "completed", ...createResult(run, changes) });
}

function createRefusal(hook: HookRow, decision: HookDecision) {
  if (decision.type === "block") {
    const { reason } = decision;
    return { error: reason, errorCode: "hook_blocked", blockReason: reason };
  }
  if (decision.type !== "failed" || !decision.blocks) return undefined;
  const { target_name } = hookFacts(hook);
  return {
    error: `the hook ${hook.hook_type} (${target_name}) failed: ${decision.error}`,
    errorCode: "hook_failed",
  };
}

async function prepared(queries: Queries, run: RunRow, changes: Json): Promise<void> {
  const { parameters } = changes as { readonly parameters?: Json };
  const isChanged = parameters !== undefined && JSON.stringify(parameters) !== JSON.stringify(run.parameters);
  await changeRun(
    queries,
    run,
    "ready",
    isChanged ? { parameters, original_parameters: run.original_parameters ?? run.parameters } : {},
    { type: "run_ready", data: { parameters_changed: isChanged } },
  );
}

/** What the runner reported, with what the hook changed of it. */
function createResult(run: RunRow, changes: Json) {
  const {
    result_text = run.raw_result?.result_text ?? null,
    result_data = run.raw_result?.result_data ?? null,
  } = changes as { readonly result_text?: string | null; readonly result_data?: Json | null };
  return { resultText: result_text, resultData: result_data };
}
