import { rowReader } from "../database/row-reader.ts";
import { readHook } from "../store/hook-rows.ts";
import type { HookRow } from "../store/rows.ts";
import { lockRun } from "../store/run-rows.ts";
import { describeRunner } from "./describe-runner.ts";
import { cancelOpenHooks, endRun } from "./end-run.ts";
import { releaseUnstarted } from "./release-run.ts";
import { changeRun } from "./run-changes.ts";
import type { Transition } from "./transition.ts";

const readOverdue = rowReader<{ readonly is_lost: boolean | null; readonly is_late: boolean | null }>({
  name: "is-late",
  text: "SELECT lease_until < now() AS is_lost, deadline_at < now() AS is_late FROM runs WHERE id = $1",
});

/** A runner that stopped answering loses its run, which is tried again as often as the blueprint allows. */
export async function takeFromLostRunner(transition: Transition, id: string): Promise<void> {
  const { queries } = transition;
  const run = await lockRun(queries, id);
  const overdue = await readOverdue(queries, id);
  if (run === undefined || overdue?.is_lost !== true) return;
  if (await releaseUnstarted(transition, run)) return;
  const reason = `${await describeRunner(queries, run.runner_id)} stopped answering`;
  if (run.state === "stopping") {
    await endRun(transition, run, { status: "stopped", errorCode: "runner_lost" });
  } else if (run.attempt < run.max_attempts) {
    await cancelOpenHooks(transition, id, reason);
    const data = { reason, attempt: run.attempt, max_attempts: run.max_attempts };
    await changeRun(queries, run, "ready", {}, { type: "run_retried", data });
  } else {
    await endRun(transition, run, { status: "failed", error: reason, errorCode: "runner_lost" });
  }
}

/** Ends a run that takes longer than its timeout. */
export async function endLateRun(transition: Transition, id: string): Promise<void> {
  const run = await lockRun(transition.queries, id);
  const overdue = await readOverdue(transition.queries, id);
  if (run === undefined || overdue?.is_late !== true || run.finished_at !== null) return;
  if (await releaseUnstarted(transition, run)) return;
  const error = `it took longer than its ${secondsText(run.timeout_seconds)}`;
  await endRun(transition, run, { status: "failed", error, errorCode: "timeout", timedOut: true });
}

/** Lets a hook fail that takes longer than its timeout, or that no runner has claimed in time. */
export async function failLateHook(transition: Transition, id: string): Promise<void> {
  const { queries } = transition;
  const hook = await readHook(queries, id);
  if (hook === undefined || hook.finished_at !== null || hook.deadline_at === null) return;
  const child = hook.child_run_id === null ? undefined : await lockRun(queries, hook.child_run_id);
  if (child !== undefined && (await releaseUnstarted(transition, child))) return;
  transition.answerHook(hook, { type: "failed", error: lateness(hook), timedOut: true });
  transition.stopHookRunsOf(hook.run_id);
}

function lateness({ child_run_id, started_at, definition, waiting }: HookRow): string {
  if (started_at === null && child_run_id !== null) return "no runner came to execute it";
  if (started_at === null && definition.type === "http") {
    return waiting === null ? "it was not called in time" : `it was not called in time: ${waiting.detail}`;
  }
  const late = `it took longer than its ${secondsText(definition.timeout_seconds)}`;
  return waiting?.failure === undefined ? late : `${late}. Before that: ${waiting.failure}`;
}

function secondsText(seconds: number | null | undefined): string {
  return `${seconds} ${seconds === 1 ? "second" : "seconds"}`;
}
