import { proceed } from "@tenterhook/protocol";
import { type JobStep, MAX_JOBS, storeJob } from "../../session/job.ts";
import type { Judged } from "../decide/judge.ts";
import type { Verdict } from "../decide/verdict.ts";
import { HookSet } from "../match/hook-set.ts";
import type { PlannedHooks } from "../match/plan-file.ts";
import type { OpenCall } from "../read/open-call.ts";
import type { Step } from "../translate/steps.ts";

export interface JudgedCall {
  /** All hooks that take part. */
  readonly plan: PlannedHooks;
  readonly judged: Judged;
  readonly verdict: Verdict;
}

/** Starts the background hooks in a process that the client does not wait for. Throws when they are not run. */
export async function startBackground(open: OpenCall, judgedCall: JudgedCall): Promise<void> {
  if (open.call.startJob === undefined) return;
  const steps = [...backgroundSteps(judgedCall), ...afterRefusal(open, judgedCall)];
  const due = await withMatchingHooks(open, steps, judgedCall.plan);
  if (due.length > 0 && !(await startSteps(open, due)))
    throw new Error(
      `background hooks were not run: ${MAX_JOBS} others run, or ${open.location.state} cannot be written to`,
    );
}

/** Runs all hooks of an event in a process that outlives the client. Returns false when no process can be started. */
export async function runInJob(open: OpenCall, plan: PlannedHooks, steps: readonly Step[]): Promise<boolean> {
  if (open.call.startJob === undefined) return false;
  const due = await withMatchingHooks(
    open,
    steps.map(({ event, payload }) => ({ event, payload, outcome: proceed(), hooks: "all" })),
    plan,
  );
  return due.length === 0 || startSteps(open, due);
}

async function startSteps({ call, native, location }: OpenCall, steps: readonly JobStep[]): Promise<boolean> {
  const { client, eventName } = native;
  const path = storeJob(location.state, {
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
function backgroundSteps({ judged }: JudgedCall): readonly JobStep[] {
  return judged.steps.map(({ step: { event }, dispatch: { payload, outcome, hook } }) => ({
    event,
    payload,
    outcome,
    ...(hook !== undefined && { by: hook }),
    hooks: "background",
  }));
}

/** Every tool call that began gets an event at its end. Most clients report nothing more of a refused call. */
function afterRefusal({ native: { client } }: OpenCall, { judged, verdict }: JudgedCall): readonly JobStep[] {
  if (client.reportsBlockedTools || !isRefusal(verdict)) return [];
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

/** The steps that a hook matches; a process is started for these only. */
async function withMatchingHooks(
  { call, location }: OpenCall,
  steps: readonly JobStep[],
  plan: PlannedHooks,
): Promise<readonly JobStep[]> {
  const candidates = steps.filter(({ event, hooks }) =>
    (plan[event] ?? []).some(({ mode }) => hooks === "all" || mode === "background"),
  );
  if (candidates.length === 0) return [];
  const set = new HookSet({ folders: location.folders, env: call.env, mode: "all", report: () => undefined });
  const due: JobStep[] = [];
  for (const step of candidates) {
    await set.hooks.prepare(step.event);
    const isDue = set.hooks
      .explain(step.event, step.payload)
      .hooks.some(({ hook, runs }) => runs && isCalled(hook, step));
    if (isDue) due.push(step);
  }
  return due;
}

/** After a refusal only the hooks with `always: true` are called. */
function isCalled(
  { mode, always }: { readonly mode: string; readonly always: boolean },
  { outcome, hooks }: JobStep,
): boolean {
  if (hooks === "all") return true;
  return mode === "background" && (always || !isRefusal(outcome));
}

function isRefusal<T extends { readonly type: string }>(
  ended: T,
): ended is Extract<T, { readonly type: "block" | "stop" }> {
  return ended.type === "block" || ended.type === "stop";
}
