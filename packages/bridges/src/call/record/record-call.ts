import { messageOf } from "@tenterhook/internal";
import { proceed } from "@tenterhook/protocol";
import { type JobStep, MAX_JOBS, storeJob } from "../../session/job.ts";
import { type CallVerdict, PROCEED } from "../decide/call-verdict.ts";
import type { Decided } from "../decide/decide.ts";
import type { NativeAnswer } from "../encode/encode.ts";
import type { EncodedCall } from "../encode/encode-call.ts";
import { HookSet, type Matched } from "../match/match-hooks.ts";
import type { PlannedHooks } from "../match/plan-file.ts";
import type { OpenCall } from "../read/read-call.ts";
import type { Step } from "../translate/translate.ts";
import { logDecision, logUnasked, makeRecords } from "./decision-log.ts";

/** Logs what was decided about a call and starts its background hooks. Returns the answer, with warnings of what could not be stored. */
export async function recordCall(
  open: OpenCall,
  { plan, reports }: Matched,
  decided: Decided,
  { encoded, unstored }: EncodedCall,
): Promise<NativeAnswer> {
  const { verdict, complete, event, steps } = decided;
  const warnings = [...decided.unasked, ...unstored];
  try {
    if (steps.length > 0 || verdict.type !== "proceed" || verdict.notes.length > 0) {
      const printed = [...reports.map(({ text }) => text), ...warnings];
      for (const record of makeRecords(open, decided, complete, encoded, printed))
        logDecision(open.location.state, decided.isAllowedOnce ? { ...record, allowed_once: true } : record);
    }
    await startBackground(open, decided, plan);
  } catch (error) {
    // The verdict is final: a failure of the log or of background hooks does not change it.
    const note = `after the answer: ${messageOf(error)}`;
    warnings.push(note);
    const failed: CallVerdict = { ...PROCEED, notes: [note] };
    logUnasked(open, event, failed, { ...encoded, kind: "nothing", shortfalls: [] });
  }
  return withWarnings(encoded.answer, warnings);
}

/** A refusal gets no warnings: the model reads standard error, which has only the reason then. */
function withWarnings(answer: NativeAnswer, warnings: readonly string[]): NativeAnswer {
  if (warnings.length === 0 || answer.exit === 2) return answer;
  return { ...answer, stderr: `${answer.stderr}${warnings.map((text) => `tenterhook: ${text}\n`).join("")}` };
}

/** Starts the background hooks in a process that the client does not wait for. Throws when they are not run. */
export async function startBackground(open: OpenCall, decided: Decided, plan: PlannedHooks): Promise<void> {
  if (open.call.startJob === undefined) return;
  const steps = [...backgroundSteps(decided), ...afterRefusal(open, decided)];
  const due = await findDueSteps(open, steps, plan);
  if (due.length > 0 && !(await startJob(open, due)))
    throw new Error(
      `background hooks were not run: ${MAX_JOBS} others run, or ${open.location.state} cannot be written to`,
    );
}

/** The events as they ended. */
function backgroundSteps({ steps }: Decided): readonly JobStep[] {
  return steps.map(({ step: { event }, dispatch: { payload, outcome, hook } }) => ({
    event,
    payload,
    outcome,
    ...(hook !== undefined && { by: hook }),
    hooks: "background",
  }));
}

/** Every tool call that began gets an event at its end. Most clients report nothing more of a refused call. */
function afterRefusal({ native: { client } }: OpenCall, { verdict, steps }: Decided): readonly JobStep[] {
  if (client.reportsBlockedTools || (verdict.type !== "block" && verdict.type !== "stop")) return [];
  return steps
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

/** Runs all hooks of an event in a process that outlives the client. Returns false when no process can be started. */
export async function runInJob(open: OpenCall, plan: PlannedHooks, steps: readonly Step[]): Promise<boolean> {
  if (open.call.startJob === undefined) return false;
  const due = await findDueSteps(
    open,
    steps.map(({ event, payload }) => ({ event, payload, outcome: proceed(), hooks: "all" })),
    plan,
  );
  return due.length === 0 || startJob(open, due);
}

/** Stores the steps and starts the process that runs their hooks. Returns false when they cannot be stored. */
export async function startJob(
  { call, native, location }: OpenCall,
  steps: readonly JobStep[],
): Promise<boolean> {
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

/** The steps that a hook matches; a process is started for these only. */
export async function findDueSteps(
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
  return mode === "background" && (always || (outcome.type !== "block" && outcome.type !== "stop"));
}
