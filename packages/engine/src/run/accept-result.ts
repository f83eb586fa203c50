import { type EventName, type Outcome, proceed } from "@tenterhook/protocol";
import { checkObserver, type FieldChange, readAnswer, readPatch } from "../answer/answer.ts";
import { asFailure } from "../answer/failure.ts";
import { ShadowAnswer } from "../answer/shadow-answer.ts";
import { isObjection, verdictFor } from "../answer/verdict.ts";
import { applyAnswer } from "./apply-changes.ts";
import { askApprover } from "./ask-approver.ts";
import type { DispatchState } from "./dispatch-state.ts";
import { type HookCall, type RawResult, Rejection } from "./hook-call.ts";
import { recordNotEnforced } from "./record-not-enforced.ts";

/** Reads what a hook returned. Returns a promise when an approver or the host must be asked before the next hook. */
export function acceptResult<E extends EventName>(
  dispatch: DispatchState<E>,
  at: number,
  call: HookCall,
  result: RawResult,
): Promise<void> | undefined {
  if (result === undefined && call.isPlain) {
    const { hook, isObserved, startedAt, durationMs } = call;
    // Zero by the clock of the tick: it ended in the tick it began in.
    if (!isObserved && durationMs === 0) dispatch.recorder.quiet(hook.descriptor, false);
    else dispatch.recorder.quiet(hook.descriptor, isObserved, startedAt, durationMs);
    return;
  }
  const { name, observes } = call.hook.descriptor;
  const { event } = dispatch.plan;
  let outcome: Outcome;
  let changes: readonly FieldChange[] | undefined;
  try {
    // Within the `try`: what a hook returned may throw when it is looked at.
    let answer: unknown = result;
    if (answer instanceof ShadowAnswer) {
      call.shadow = answer;
      answer = answer.result;
    }
    if (answer instanceof Rejection) throw answer.error;
    // A middleware that returns the outcome of the hooks behind it has decided nothing itself.
    outcome = answer === dispatch.verdict?.outcome ? proceed() : readAnswer(event, name, answer);
    if (observes) checkObserver(event, name, outcome);
    if (outcome.type === "proceed" && outcome.patch !== undefined) {
      changes = readPatch(event, name, dispatch.value.fields, outcome.patch);
    }
  } catch (error) {
    dispatch.fail(call, asFailure(error, call.hook.descriptor));
    return;
  }
  // The second judgement only judges: what it would have changed, skipped or recovered is not done.
  if (call.pass === "judging" && !isObjection(outcome)) outcome = proceed();
  else if (!call.isEnforced) return recordNotEnforced(dispatch, call, outcome, changes);
  else if (outcome.type === "ask") return askApprover(dispatch, at, call, outcome);
  else if (outcome.type === "proceed" && changes !== undefined && changes.length > 0) {
    return applyAnswer(dispatch, at, call, outcome, changes);
  }
  const verdict = outcome.type === "proceed" ? undefined : verdictFor(event, outcome, name);
  if (verdict !== undefined) dispatch.decide(verdict);
  dispatch.recorder.answered(call, outcome, verdict);
  return;
}
