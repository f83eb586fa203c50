import { isJsonLimit, LONGEST_ERROR, messageOf, parseJson, shortened } from "@tenterhook/internal";
import type { RunHookType } from "@tenterhook/protocol/runs";
import type { HookReply } from "../domain/hook-decision.ts";
import type { FinalState } from "../domain/run-state.ts";
import { readHook } from "../store/hook-rows.ts";
import type { Json, PinnedHook, RunRow } from "../store/rows.ts";
import { resumeParent } from "./callback.ts";
import { cancelWaits } from "./cancel-waits.ts";
import { awaitedHooks, scheduleHook } from "./hook-rows.ts";
import { changeRun, type RunChanges } from "./run-changes.ts";
import type { Transition } from "./transition.ts";

/** How a run ends. */
export interface Ending {
  readonly status: FinalState;
  readonly resultText?: string | null;
  readonly resultData?: Json | null;
  readonly error?: string | null;
  readonly errorCode?: string | null;
  readonly blockReason?: string;
  /** The reason of a run that ends as stopped. */
  readonly stopReason?: string | null;
  /** The name of the person or the token that stopped it. */
  readonly stoppedBy?: string | undefined;
  readonly timedOut?: boolean;
}

/** The hooks of a run's end, in the order in which they are called. */
const END_HOOKS = ["on_timeout", "on_run_error", "on_run_finish"] as const satisfies readonly RunHookType[];

/**
 * Ends a run that is locked: at once, or after the end hooks that it waits for. Its other open hooks are cancelled. Returns the run
 * as it is then.
 */
export async function endRun(transition: Transition, run: RunRow, ending: Ending): Promise<RunRow> {
  await cancelOpenHooks(transition, run.id, "the run has ended");
  const changes = listChanges(ending);
  const ended = { ...run, ...changes, timed_out: ending.timedOut ?? run.timed_out } as RunRow;
  const awaited = endHooks(ended, ending.status).filter(([, hook]) => hook.mode === "sync");
  if (awaited.length === 0) return finalise(transition, run, ending.status, changes);
  const finishing = await changeRun(
    transition.queries,
    run,
    "finishing",
    { ...changes, ends_as: ending.status, waiting_for: "hook" },
    { type: "run_finishing", data: { status: ending.status } },
  );
  for (const [type, hook] of awaited) await schedule(transition, finishing, type, hook, ending.status);
  return finishing;
}

/** Cancels what a locked run waits for, and stops the runs that execute it. */
export async function cancelOpenHooks(transition: Transition, runId: string, reason: string): Promise<void> {
  const cancelled = await cancelWaits(transition.queries, runId, reason);
  if (cancelled.some(({ child_run_id }) => child_run_id !== null)) transition.stopHookRunsOf(runId);
}

/**
 * Ends a run that waits for its end hooks with the status it was going to have; the hooks are executed without it. `by` is the name of
 * the person or the token that does not want to wait.
 */
export function endWithoutHooks(
  transition: Transition,
  run: RunRow & { readonly ends_as: FinalState },
  by?: string,
): Promise<RunRow> {
  return finalise(transition, run, run.ends_as, by === undefined ? {} : { stopped_by: by });
}

/** Call it when an end hook that a run waits for has ended: after the last one the run ends. */
export async function endHookClosed(transition: Transition, run: RunRow): Promise<void> {
  if (run.state !== "finishing" || run.ends_as === null) return;
  const open = await awaitedHooks(transition.queries, run.id);
  if (open.length === 0) await finalise(transition, run, run.ends_as, {});
}

async function finalise(
  transition: Transition,
  run: RunRow,
  status: FinalState,
  changes: RunChanges,
): Promise<RunRow> {
  const { queries } = transition;
  const { error, error_code, block_reason, stop_reason, stopped_by } = { ...run, ...changes };
  const final = await changeRun(queries, run, status, changes, {
    type: `run_${status}`,
    data: {
      ...(error !== null && { error }),
      ...(error_code !== null && { error_code }),
      ...(block_reason !== null && { block_reason }),
      ...(status === "stopped" && stop_reason !== null && { stop_reason }),
      ...(stopped_by !== null && { by: stopped_by }),
    },
  });
  for (const [type, hook] of endHooks(final, status)) {
    if (hook.mode === "async") await schedule(transition, final, type, hook, status);
  }
  await releaseWaiting(transition, final);
  return final;
}

/** Continues what waits for a run that has ended: the session that wants a callback, and the hook that it executed. */
export async function releaseWaiting(transition: Transition, run: RunRow): Promise<void> {
  await resumeParent(transition.queries, run);
  const hook = run.hook_id === null ? undefined : await readHook(transition.queries, run.hook_id);
  if (hook !== undefined && hook.finished_at === null) transition.answerHook(hook, replyOf(run));
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
  { queries, limits }: Transition,
  run: RunRow,
  type: (typeof END_HOOKS)[number],
  hook: PinnedHook,
  status: FinalState,
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

/** The reply of a hook that a run executed. */
export function replyOf(run: RunRow): HookReply {
  const { state, error, stop_reason, timed_out: timedOut, result_data, result_text } = run;
  if (state === "completed") return parseReply(result_data, result_text);
  return { type: "failed", error: error ?? stop_reason ?? `the hook's run was ${state}`, timedOut };
}

/** An agent without an output schema answers with text, which may contain the JSON. */
function parseReply(data: Json | null, text: string | null): HookReply {
  if (data !== null || text === null) return { type: "answered", value: data ?? undefined };
  try {
    return { type: "answered", value: parseJson(text, "its answer") };
  } catch (error) {
    return isJsonLimit(error)
      ? { type: "failed", error: messageOf(error) }
      : { type: "answered", value: text };
  }
}

function listChanges(ending: Ending): RunChanges {
  return {
    ...(ending.resultText !== undefined && { result_text: ending.resultText }),
    ...(ending.resultData !== undefined && { result_data: ending.resultData }),
    ...(ending.error !== undefined && {
      error: ending.error === null ? null : shortened(ending.error, LONGEST_ERROR),
    }),
    ...(ending.errorCode !== undefined && { error_code: ending.errorCode }),
    ...(ending.stopReason !== undefined && { stop_reason: ending.stopReason }),
    ...(ending.stoppedBy !== undefined && { stopped_by: ending.stoppedBy }),
    ...(ending.blockReason !== undefined && { block_reason: shortened(ending.blockReason, LONGEST_ERROR) }),
    ...(ending.timedOut !== undefined && { timed_out: ending.timedOut }),
  };
}
