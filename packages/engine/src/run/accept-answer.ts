import {
  block,
  type EventName,
  type Immutable,
  type Outcome,
  type Payload,
  proceed,
  TenterhookError,
} from "@tenterhook/protocol";
import { wouldHave } from "@tenterhook/protocol/internal";
import {
  checkObserver,
  type FieldChange,
  isObjection,
  readAnswer,
  readPatch,
  verdictFor,
} from "../answer/answer.ts";
import { requestApproval } from "../answer/approval.ts";
import { asFailure, textOf, whose } from "../answer/failure.ts";
import { ShadowAnswer } from "../answer/shadow-answer.ts";
import type { DispatchState } from "./dispatch-state.ts";
import { type HookCall, type HookWait, Rejection, type Steps } from "./hook-call.ts";

/** Reads what a hook returned, and does it. It waits for a person's decision, and for the host's check of a change. */
export function* acceptAnswer<E extends EventName>(
  state: DispatchState<E>,
  call: HookCall,
  result: unknown,
  wait: HookWait,
): Steps {
  let answer: ReturnType<typeof readResult>;
  try {
    // Within the `try`: what a hook returned may throw when it is looked at.
    answer = readResult(state, call, result);
  } catch (error) {
    state.fail(call, asFailure(error, call.hook.descriptor));
    return;
  }
  const { outcome, changes } = answer;
  // The second judgement only judges: what it would have changed, skipped or recovered is not done.
  if (call.pass === "judging" && !isObjection(outcome)) state.recorder.answered(call, proceed());
  else if (!call.isEnforced) yield* recordNotEnforced(state, call, outcome, changes, wait);
  else if (outcome.type === "ask") yield* askApprover(state, call, outcome, wait);
  else if (outcome.type !== "proceed") state.accept(call, outcome);
  else yield* applyAnswer(state, call, outcome, changes, wait);
}

function readResult<E extends EventName>(
  { plan: { event }, verdict, fields }: DispatchState<E>,
  call: HookCall,
  result: unknown,
): { readonly outcome: Outcome; readonly changes: readonly FieldChange[] } {
  const { name, observes } = call.hook.descriptor;
  let answer = result;
  if (answer instanceof ShadowAnswer) {
    call.shadow = answer;
    answer = answer.result;
  }
  if (answer instanceof Rejection) throw answer.error;
  // A middleware that returns the outcome of the hooks behind it has decided nothing itself.
  const outcome = answer === verdict?.outcome ? proceed() : readAnswer(event, name, answer);
  if (observes) checkObserver(event, name, outcome);
  const patch = outcome.type === "proceed" ? outcome.patch : undefined;
  return { outcome, changes: patch === undefined ? [] : readPatch(event, name, fields, patch) };
}

/** Records what a hook that is not enforced would have done. No person is asked; the host checks what it would have changed. */
function* recordNotEnforced<E extends EventName>(
  state: DispatchState<E>,
  call: HookCall,
  outcome: Outcome,
  changes: readonly FieldChange[],
  wait: HookWait,
): Steps {
  const verdict = wouldHave(outcome, changes.length > 0);
  if (verdict === undefined) {
    state.recorder.answered(call, proceed());
    return;
  }
  if (isObjection(outcome) && call.hook.descriptor.enforce === false)
    state.objected = new Set(state.objected).add(call.hook);
  if (changes.length > 0) {
    const problem = yield* settled(findProblem(state, state.with(changes)), wait);
    if (problem !== undefined) {
      state.fail(call, badChange(call, problem));
      return;
    }
    call.entry.changes = changes;
  }
  state.recorder.wouldHave(call, verdict, outcome);
  call.reportShadow({ outcome });
}

type Question = Outcome & { readonly type: "ask" };

/** A hook asks for a person's approval; without an approver, asking blocks. */
function* askApprover<E extends EventName>(
  state: DispatchState<E>,
  call: HookCall,
  question: Question,
  wait: HookWait,
): Steps {
  const approve = state.options?.approve;
  const { edits } = state.row;
  const { reason, notBy } = question;
  const refuse = (why: string, error?: TenterhookError) => {
    const refusal = verdictFor(state.plan.event, block(why), call.hook.descriptor.name);
    state.accept(call, question, error === undefined ? refusal : { ...refusal, error });
  };
  if (approve === undefined) {
    refuse(`${reason} (this needs a person's approval, and no approver is connected)`);
    return;
  }
  const decision = yield* settled(
    requestApproval(approve, {
      event: state.plan.event,
      hook: call.hook.descriptor.name,
      reason,
      ...(notBy !== undefined && { notBy }),
      payload: state.payload as Immutable<Payload<EventName>>,
      ...(call.pass === "first" && edits !== undefined && { edits }),
      signal: state.runContext.signal,
    }),
    wait,
  );
  call.entry.approval = decision.type;
  switch (decision.type) {
    case "reject":
      if (decision.error !== undefined) state.recorder.failure(decision.error);
      refuse(decision.reason ?? `${reason} (rejected)`, decision.error);
      return;
    case "approve":
      state.recorder.answered(call, question);
      return;
    case "edit": {
      // requestApproval lets an edit through only where the row has a field to edit.
      const field = edits ?? "";
      const edit = { field, before: state.fields[field], after: decision.value };
      yield* applyAnswer(state, call, question, [edit], wait, (problem) =>
        refuse(`The edited value was refused: ${problem}`),
      );
    }
  }
}

/** Applies the changes of a hook's answer; `refused` takes the problem that the host finds with them. */
function* applyAnswer<E extends EventName>(
  state: DispatchState<E>,
  call: HookCall,
  outcome: Outcome,
  changes: readonly FieldChange[],
  wait: HookWait,
  refused = (problem: string) => state.fail(call, badChange(call, problem)),
): Steps {
  if (changes.length > 0) {
    const changed = state.with(changes);
    const problem = yield* settled(findProblem(state, changed), wait);
    if (problem !== undefined) {
      refused(problem);
      return;
    }
    // What a middleware changes after the hooks behind it have run, all of them must judge again.
    state.replace(changed, call.next?.hasStarted ? state.plan.sync.length : call.at);
    call.entry.changes = changes;
  }
  state.recorder.answered(call, outcome);
}

/** The changes that a middleware gives to `next`; throws when the event does not allow them. */
export function readChanges<E extends EventName>(
  { plan: { event }, fields }: DispatchState<E>,
  { hook: { descriptor } }: HookCall,
  patch: object,
): readonly FieldChange[] {
  if (descriptor.observes) checkObserver(event, descriptor.name, proceed(patch));
  return readPatch(event, descriptor.name, fields, patch);
}

/** Applies changes that a middleware gives to `next`; rejects when the host does not allow them. */
export async function changeForNext<E extends EventName>(
  state: DispatchState<E>,
  call: HookCall,
  changes: readonly FieldChange[],
): Promise<void> {
  const { descriptor } = call.hook;
  const changed = state.with(changes);
  const problem = await findProblem(state, changed);
  // Cancelled meanwhile.
  if (call.hasEnded) return;
  if (problem !== undefined) throw badChange(call, problem);
  if (descriptor.enforce !== false) state.replace(changed, call.at);
  state.recorder.changed(descriptor, call.pass, changes);
}

/** The problem that the host finds with a changed payload. */
function findProblem<E extends EventName>(
  { options }: DispatchState<E>,
  changed: Immutable<Payload<E>>,
): Promise<string | undefined> | undefined {
  if (options?.validate === undefined) return;
  return runCheck(() => options.validate?.(changed as Payload<E>));
}

/** Runs a host's check, which may throw: what it throws is the problem. The promise is never rejected. */
export async function runCheck(
  check: () => string | undefined | Promise<string | undefined>,
): Promise<string | undefined> {
  try {
    const answer: unknown = await check();
    // Any answer but none is a problem; one of another type than it should have can still be shown.
    return answer === undefined || typeof answer === "string" ? answer : textOf(answer);
  } catch (error) {
    return textOf(error);
  }
}

/** Waits for a promise in a loop, if there is one. Its rejection is a defect. */
function* settled<P extends Promise<unknown> | undefined>(promise: P, wait: HookWait): Steps<Awaited<P>> {
  const result = promise === undefined ? undefined : yield wait.on(promise);
  if (result instanceof Rejection) throw result.error;
  // The loop is resumed with what the promise resolved to.
  return result as Awaited<P>;
}

function badChange({ hook }: HookCall, problem: string): TenterhookError {
  return new TenterhookError("bad_patch", `its change was refused: ${problem}`, whose(hook.descriptor));
}
