import { type Outcome, proceed } from "@tenterhook/protocol";
import { HookSet } from "../judge/hook-set.ts";
import type { Judged } from "../judge/judge.ts";
import type { Verdict } from "../judge/verdict.ts";
import type { Step } from "../normalise/steps.ts";
import type { OpenCall } from "../open-call.ts";
import type { PlannedHooks } from "../plan/plan-file.ts";
import { type JobStep, keepJob } from "./job.ts";

export interface Leftover {
  /** All hooks that take part. */
  readonly plan: PlannedHooks;
  readonly judged: Judged;
  readonly verdict: Verdict;
}

/** Hands the hooks that only watch to a process that the client does not wait for. */
export async function startBackground(open: OpenCall, leftover: Leftover): Promise<void> {
  if (open.call.startJob === undefined) return;
  const steps = [...watched(leftover), ...afterRefusal(open, leftover)];
  await startSteps(open, await concerned(open, steps, leftover.plan));
}

/** Hands an event with all its hooks to a process that outlives the client. False when there is no such process to be had. */
export async function leaveToJob(
  open: OpenCall,
  plan: PlannedHooks,
  steps: readonly Step[],
): Promise<boolean> {
  if (open.call.startJob === undefined) return false;
  const due = await concerned(
    open,
    steps.map(({ event, payload }) => ({ event, payload, outcome: proceed(), hooks: "all" })),
    plan,
  );
  return due.length === 0 || startSteps(open, due);
}

async function startSteps({ call, native, location }: OpenCall, steps: readonly JobStep[]): Promise<boolean> {
  if (steps.length === 0) return false;
  const { client, eventName } = native;
  const path = keepJob(location.state, {
    client: client.id,
    nativeEvent: eventName,
    folders: location.folders,
    steps,
  });
  if (path === undefined) return false;
  await call.startJob?.(path);
  return true;
}

/** The events as they ended. */
function watched({ judged }: Leftover): readonly JobStep[] {
  return judged.steps.map(({ step: { event }, dispatch: { payload, outcome, hook } }) => ({
    event,
    payload,
    outcome,
    ...(hook !== undefined && { by: hook }),
    hooks: "background",
  }));
}

/** Every tool that was begun is followed by its end. Of one that was refused, most clients report nothing more. */
function afterRefusal({ native: { client } }: OpenCall, { judged, verdict }: Leftover): readonly JobStep[] {
  const isRefused = verdict.type === "block" || verdict.type === "stop";
  if (client.reportsBlockedTools || !isRefused) return [];
  return judged.steps
    .filter(({ step }) => step.event === "before_tool")
    .map(({ step: { payload } }) => ({
      event: "after_tool_failure",
      payload: {
        ...payload,
        error: { name: "Blocked", message: verdict.reason },
        status: "blocked",
      } as never,
      outcome: proceed(),
      hooks: "all",
    }));
}

/** Only what a hook matches is worth a process. */
async function concerned(
  { call, location }: OpenCall,
  steps: readonly JobStep[],
  plan: PlannedHooks,
): Promise<readonly JobStep[]> {
  const mayBe = steps.filter(({ event, hooks }) =>
    (plan[event] ?? []).some(({ mode }) => hooks === "all" || mode === "background"),
  );
  if (mayBe.length === 0) return [];
  const set = new HookSet({ folders: location.folders, env: call.env, mode: "all", say: () => undefined });
  const due: JobStep[] = [];
  for (const step of mayBe) {
    await set.hooks.prepare(step.event);
    const isDue = set.hooks
      .explain(step.event, step.payload)
      .hooks.some(({ hook, runs }) => runs && isTold(hook, step));
    if (isDue) due.push(step);
  }
  return due;
}

/** After a refusal only the hooks with `always: true` are called. */
function isTold(
  { mode, always }: { readonly mode: string; readonly always: boolean },
  { outcome, hooks }: JobStep,
): boolean {
  if (hooks === "all") return true;
  return mode === "background" && (always || !isRefusal(outcome));
}

export function isRefusal({ type }: Outcome): boolean {
  return type === "block" || type === "stop";
}
