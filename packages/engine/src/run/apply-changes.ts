import {
  type EventName,
  type Immutable,
  type Outcome,
  type Payload,
  proceed,
  TenterhookError,
} from "@tenterhook/protocol";
import { checkObserver, type FieldChange, readPatch } from "../answer/answer.ts";
import { whose } from "../answer/failure.ts";
import { runCheck } from "../answer/run-check.ts";
import type { DispatchState } from "./dispatch-state.ts";
import type { HookCall } from "./hook-call.ts";

/** Applies the changes of a hook's answer; `refused` takes the problem that the host finds with them. */
export function applyAnswer<E extends EventName>(
  dispatch: DispatchState<E>,
  at: number,
  call: HookCall,
  outcome: Outcome,
  changes: readonly FieldChange[],
  refused = (problem: string) => dispatch.fail(call, badChange(call, problem)),
): Promise<void> | undefined {
  return checkChanges(dispatch, changes, refused, (changed) => {
    dispatch.value.replace(changed, at);
    call.entry.changes = changes;
    dispatch.recorder.answered(call, outcome);
  });
}

/** Applies a change that a middleware gives to `next`; throws when the event, or the host, does not allow it. */
export function changeForNext<E extends EventName>(
  dispatch: DispatchState<E>,
  at: number,
  call: HookCall,
  patch: object,
): Promise<void> | undefined {
  const { value, plan, recorder } = dispatch;
  if (patch === value.context) return;
  const { descriptor } = call.hook;
  if (descriptor.observes) checkObserver(plan.event, descriptor.name, proceed(patch));
  const changes = readPatch(plan.event, descriptor.name, value.fields, patch);
  if (changes.length === 0) return;
  const refused = (problem: string) => {
    throw badChange(call, problem);
  };
  return checkChanges(dispatch, changes, refused, (changed) => {
    if (descriptor.enforce !== false) value.replace(changed, at);
    recorder.changed(descriptor, call.pass, changes);
  });
}

/** Lets the host check changes; `accepted` takes the payload with those that it has no problem with. */
export function checkChanges<E extends EventName>(
  dispatch: DispatchState<E>,
  changes: readonly FieldChange[],
  refused: (problem: string) => void,
  accepted: (changed: Immutable<Payload<E>>) => void,
): Promise<void> | undefined {
  const { value, options } = dispatch;
  const changed = value.with(changes);
  return runCheck(
    () => options?.validate?.(changed as Payload<E>),
    (problem) => {
      if (dispatch.isClosed) return;
      if (problem !== undefined) {
        refused(problem);
        return;
      }
      accepted(changed);
    },
  );
}

export function badChange({ hook }: HookCall, problem: string): TenterhookError {
  return new TenterhookError("bad_patch", `its change was refused: ${problem}`, whose(hook.descriptor));
}
