import { isJsonLimit, LONGEST_ERROR, messageOf, parseJson, shortened } from "@tenterhook/protocol";
import type { RunHookType } from "@tenterhook/protocol/runs";
import type { Queries } from "../database/database.ts";
import type { HookReply } from "../domain/hook-decision.ts";
import type { Limits } from "../domain/limits.ts";
import type { FinalState } from "../domain/run-state.ts";
import type { HookRow, Json, PinnedHook, RunRow } from "../store/rows.ts";
import { resumeParent } from "./callback.ts";
import { cancelApprovals } from "./cancel-approvals.ts";
import { awaitedHooks, readHook, scheduleHook, setHook } from "./hook-rows.ts";
import { changeRun, type RunChanges } from "./run-changes.ts";

/** How a run ends. */
export interface Ending {
  readonly status: FinalState;
  readonly resultText?: string | null;
  readonly resultData?: Json | null;
  readonly error?: string | null;
  readonly errorCode?: string | null;
  readonly blockReason?: string;
  /** Of a run that ends as stopped. */
  readonly stopReason?: string | null;
  readonly timedOut?: boolean;
}

/** A hook that has its answer, because the run that carried it out has ended. */
export interface HookAnswer {
  readonly hook: HookRow;
  readonly reply: HookReply;
}

/** The hooks of a run's end, in the order in which they are told. */
const END_HOOKS = ["on_timeout", "on_run_error", "on_run_finish"] as const satisfies readonly RunHookType[];

/**
 * Ends a run that is locked: at once, or after the end hooks that want to be waited for. What it was still waiting for of
 * its other hooks is cancelled. Returns the hook that has its answer by this, if there is one; `settleHooks` goes on from there.
 */
export async function endRun(
  queries: Queries,
  run: RunRow,
  ending: Ending,
  limits: Limits,
): Promise<readonly HookAnswer[]> {
  await cancelWaits(queries, run.id, "the run has ended");
  const changes = changesOf(ending);
  const ended = { ...run, ...changes, timed_out: ending.timedOut ?? run.timed_out } as RunRow;
  const waited = endHooks(ended, ending.status).filter(([, hook]) => hook.mode === "sync");
  if (waited.length === 0) return finalise(queries, run, ending.status, changes, limits);
  const finishing = await changeRun(
    queries,
    run,
    "finishing",
    { ...changes, ends_as: ending.status, waiting_for: "hook" },
    { type: "run_finishing", data: { status: ending.status } },
  );
  for (const [type, hook] of waited) await schedule(queries, finishing, type, hook, ending.status, limits);
  return [];
}

/** Cancels what a run waits for: its hooks, and what people were asked. The run is locked. */
export async function cancelWaits(queries: Queries, runId: string, reason: string): Promise<void> {
  for (const hook of await awaitedHooks(queries, runId)) await setHook(queries, hook.id, "cancelled");
  await cancelApprovals(queries, runId, reason);
}

/** Lets go of a run that waits for its end hooks: it ends as it was going to, and they are carried out without it. */
export function endWithoutHooks(
  queries: Queries,
  run: RunRow & { readonly ends_as: FinalState },
  limits: Limits,
): Promise<readonly HookAnswer[]> {
  return finalise(queries, run, run.ends_as, {}, limits);
}

/** Called when an end hook that was waited for has ended: the last one lets the run go. */
export async function endHookClosed(
  queries: Queries,
  run: RunRow,
  limits: Limits,
): Promise<readonly HookAnswer[]> {
  if (run.state !== "finishing" || run.ends_as === null) return [];
  const open = await awaitedHooks(queries, run.id);
  return open.length === 0 ? finalise(queries, run, run.ends_as, {}, limits) : [];
}

async function finalise(
  queries: Queries,
  run: RunRow,
  status: FinalState,
  changes: RunChanges,
  limits: Limits,
): Promise<readonly HookAnswer[]> {
  const { error, error_code, block_reason, stop_reason } = { ...run, ...changes };
  const final = await changeRun(queries, run, status, changes, {
    type: `run_${status}`,
    data: {
      ...(error !== null && { error }),
      ...(error_code !== null && { error_code }),
      ...(block_reason !== null && { block_reason }),
      ...(status === "stopped" && stop_reason !== null && { stop_reason }),
    },
  });
  for (const [type, hook] of endHooks(final, status)) {
    if (hook.mode === "async") await schedule(queries, final, type, hook, status, limits);
  }
  await resumeParent(queries, final);
  return answerOf(queries, final);
}

function endHooks(
  run: RunRow,
  status: FinalState,
): readonly (readonly [(typeof END_HOOKS)[number], PinnedHook])[] {
  return END_HOOKS.flatMap((type) => {
    const hook = run.hooks[type];
    const applies = type === "on_run_finish" || (type === "on_timeout" ? run.timed_out : status === "failed");
    return hook === undefined || !applies ? [] : [[type, hook] as const];
  });
}

async function schedule(
  queries: Queries,
  run: RunRow,
  type: (typeof END_HOOKS)[number],
  hook: PinnedHook,
  status: FinalState,
  limits: Limits,
): Promise<void> {
  const about = {
    parameters: run.parameters,
    agent_name: run.agent_name,
    session_id: run.session_id,
    run_id: run.id,
  };
  const { result_text, result_data, error, stop_reason } = run;
  const input =
    type === "on_timeout"
      ? { ...about, timeout_seconds: run.timeout_seconds ?? 0 }
      : {
          ...about,
          result_text,
          result_data,
          status,
          error,
          ...(status === "stopped" && stop_reason !== null && { stop_reason }),
        };
  await scheduleHook(queries, run, type, hook, input, { waitSeconds: limits.hookWaitSeconds });
}

/** A run that carried out a hook is that hook's answer. */
export async function answerOf(queries: Queries, run: RunRow): Promise<readonly HookAnswer[]> {
  const hook = run.hook_id === null ? undefined : await readHook(queries, run.hook_id);
  if (hook === undefined || hook.finished_at !== null) return [];
  const { state, error, stop_reason, timed_out: timedOut, result_data, result_text } = run;
  if (state === "completed") return [{ hook, reply: replyOf(result_data, result_text) }];
  return [
    {
      hook,
      reply: { type: "failed", error: error ?? stop_reason ?? `the hook's run was ${state}`, timedOut },
    },
  ];
}

/** An agent without an output schema answers with text, which may be the JSON that was wanted. */
function replyOf(data: Json | null, text: string | null): HookReply {
  if (data !== null || text === null) return { type: "answered", value: data ?? undefined };
  try {
    return { type: "answered", value: parseJson(text, "its answer") };
  } catch (error) {
    return isJsonLimit(error)
      ? { type: "failed", error: messageOf(error) }
      : { type: "answered", value: text };
  }
}

function changesOf(ending: Ending): RunChanges {
  return {
    ...(ending.resultText !== undefined && { result_text: ending.resultText }),
    ...(ending.resultData !== undefined && { result_data: ending.resultData }),
    ...(ending.error !== undefined && {
      error: ending.error === null ? null : shortened(ending.error, LONGEST_ERROR),
    }),
    ...(ending.errorCode !== undefined && { error_code: ending.errorCode }),
    ...(ending.stopReason !== undefined && { stop_reason: ending.stopReason }),
    ...(ending.blockReason !== undefined && { block_reason: shortened(ending.blockReason, LONGEST_ERROR) }),
    ...(ending.timedOut !== undefined && { timed_out: ending.timedOut }),
  };
}
