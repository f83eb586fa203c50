import { type EventName, type Outcome, type Payload, proceed, TenterhookError } from "@tenterhook/protocol";
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
  return applyChanges(dispatch, at, changes, refused, () => {
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
  return applyChanges(dispatch, at, changes, refused, () => recorder.changed(descriptor, call.pass, changes));
}

/** Lets the host check changes, then applies them. */
function applyChanges<E extends EventName>(
  dispatch: DispatchState<E>,
  at: number,
  changes: readonly FieldChange[],
  refused: (problem: string) => void,
  applied: () => void,
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
      value.replace(changed, at);
      applied();
    },
  );
}

function badChange({ hook }: HookCall, problem: string): TenterhookError {
  return new TenterhookError("bad_patch", `its change was refused: ${problem}`, whose(hook.descriptor));
}
