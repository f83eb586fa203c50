import {
  block,
  type EventName,
  type Immutable,
  type Outcome,
  type Payload,
  type TenterhookError,
} from "@tenterhook/protocol";
import { type Approver, requestApproval } from "../answer/approval.ts";
import { verdictFor } from "../answer/verdict.ts";
import { applyAnswer } from "./apply-changes.ts";
import type { DispatchState } from "./dispatch-state.ts";
import type { HookCall } from "./hook-call.ts";

type Question = Outcome & { readonly type: "ask" };

/** A hook asks for a person's approval; without an approver, asking blocks. */
export function askApprover<E extends EventName>(
  dispatch: DispatchState<E>,
  at: number,
  call: HookCall,
  question: Question,
): Promise<void> | undefined {
  const { approve } = dispatch.options ?? {};
  if (approve !== undefined) return waitForDecision(dispatch, at, call, question, approve);
  const reason = `${question.reason} (this needs a person's approval, and no approver is connected)`;
  refuse(dispatch, call, question, reason);
  return;
}

async function waitForDecision<E extends EventName>(
  dispatch: DispatchState<E>,
  at: number,
  call: HookCall,
  question: Question,
  approve: Approver,
): Promise<void> {
  const { value, recorder } = dispatch;
  const { edits } = dispatch.row;
  const decision = await requestApproval(approve, {
    event: dispatch.plan.event,
    hook: call.hook.descriptor.name,
    reason: question.reason,
    ...(question.notBy !== undefined && { notBy: question.notBy }),
    payload: value.payload as Immutable<Payload<EventName>>,
    ...(call.pass === "first" && edits !== undefined && { edits }),
    signal: value.runContext.signal,
  });
  // Cancelled before the person decided.
  if (dispatch.isClosed || dispatch.verdict !== undefined) return;
  call.entry.approval = decision.type;
  switch (decision.type) {
    case "reject":
      if (decision.error !== undefined) recorder.failure(decision.error);
      refuse(dispatch, call, question, decision.reason ?? `${question.reason} (rejected)`, decision.error);
      return;
    case "approve":
      recorder.answered(call, question);
      return;
    case "edit": {
      // requestApproval lets an edit through only where the row has a field to edit.
      const field = edits ?? "";
      const change = { field, before: value.fields[field], after: decision.value };
      const refused = (problem: string) =>
        refuse(dispatch, call, question, `The edited value was refused: ${problem}`);
      await applyAnswer(dispatch, at, call, question, [change], refused);
    }
  }
}

function refuse<E extends EventName>(
  dispatch: DispatchState<E>,
  call: HookCall,
  question: Question,
  reason: string,
  error?: TenterhookError,
): void {
  const refusal = verdictFor(dispatch.plan.event, block(reason), call.hook.descriptor.name);
  const verdict = error === undefined ? refusal : { ...refusal, error };
  dispatch.decide(verdict);
  dispatch.recorder.answered(call, question, verdict);
}
