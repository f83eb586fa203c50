import { type EventName, type Outcome, proceed } from "@tenterhook/protocol";
import { wouldHave } from "@tenterhook/protocol/internal";
import type { FieldChange } from "../answer/answer.ts";
import { isObjection } from "../answer/verdict.ts";
import { badChange, checkChanges } from "./apply-changes.ts";
import type { DispatchState } from "./dispatch-state.ts";
import type { HookCall } from "./hook-call.ts";

/** Records what a hook that is not enforced would have done. No person is asked; the host checks what it would have changed. */
export function recordNotEnforced<E extends EventName>(
  dispatch: DispatchState<E>,
  call: HookCall,
  outcome: Outcome,
  changes: readonly FieldChange[] = [],
): Promise<void> | undefined {
  const verdict = wouldHave(outcome, changes.length > 0);
  if (verdict === undefined) {
    dispatch.recorder.answered(call, proceed());
    return;
  }
  if (isObjection(outcome)) dispatch.objected = new Set(dispatch.objected).add(call.hook);
  const record = () => {
    if (changes.length > 0) call.entry.changes = changes;
    dispatch.recorder.wouldHave(call, verdict, outcome);
    call.reportShadow({ outcome });
  };
  if (changes.length > 0) {
    const refused = (problem: string) => dispatch.fail(call, badChange(call, problem));
    return checkChanges(dispatch, changes, refused, record);
  }
  record();
  return;
}
