import { type EventName, type Outcome, proceed, TenterhookError } from "@tenterhook/protocol";
import { whose } from "../answer/failure.ts";
import { changeForNext } from "./apply-changes.ts";
import type { DispatchState } from "./dispatch-state.ts";
import type { HookCall } from "./hook-call.ts";

/** The hooks behind a middleware, and the deadline of the middleware itself. */
export interface InnerHooks {
  /** Runs them, and then `done`. */
  run(done: () => Outcome): Outcome | Promise<Outcome>;
  suspendDeadline(): void;
  resumeDeadline(): void;
}

/** The `next` of the middleware at this index: at most once, in time, and only the hooks behind it. */
export function middlewareNext<E extends EventName>(
  dispatch: DispatchState<E>,
  at: number,
  call: HookCall,
  inner: InnerHooks,
): (patch?: object) => Outcome | Promise<Outcome> {
  const where = whose(call.hook.descriptor);
  return (patch) => {
    if (call.hasCalledNext) {
      call.misuse = new TenterhookError("next_called_twice", "it called next() more than once.", {
        ...where,
        hint: "Keep the outcome of the first call.",
      });
      throw call.misuse;
    }
    if (call.hasAnswered) {
      throw new TenterhookError("hook_timeout", "it called next() after it had ended.", where);
    }
    call.hasCalledNext = true;
    // The second judgement calls each guard by itself.
    if (call.pass === "judging") return proceed();
    const changing = patch === undefined ? undefined : changeForNext(dispatch, at, call, patch);
    const run = () => runInner(dispatch, call, inner);
    return changing === undefined ? run() : changing.then(run);
  };
}

/** The time of the hooks behind a middleware is not its own. */
function runInner<E extends EventName>(
  dispatch: DispatchState<E>,
  call: HookCall,
  inner: InnerHooks,
): Outcome | Promise<Outcome> {
  const outcome = inner.run(() => {
    call.isInnerRunning = false;
    if (call.isWaiting) inner.resumeDeadline();
    return dispatch.verdict?.outcome ?? proceed();
  });
  if (outcome instanceof Promise) {
    call.isInnerRunning = true;
    inner.suspendDeadline();
  }
  return outcome;
}
