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
    if (call.hasAnswered) throw tooLate("it had ended");
    call.hasCalledNext = true;
    // The second judgement calls each guard by itself.
    if (call.pass === "judging") return proceed();
    const changing = patch === undefined ? undefined : changeForNext(dispatch, at, call, patch);
    const running = changing === undefined ? runInner() : changing.then(runInner, refused);
    if (running instanceof Promise) {
      call.runningNext = running;
      inner.suspendDeadline();
      // A middleware need not wait for it, and then its rejection must not end the process.
      running.catch(() => undefined);
    }
    return running;
  };

  function runInner(): Outcome | Promise<Outcome> {
    if (dispatch.isClosed) throw tooLate("the dispatch had ended");
    const outcome = inner.run(() => {
      ended();
      return dispatch.verdict?.outcome ?? proceed();
    });
    // Not before: if calling them failed, they are called again, and the dispatch fails.
    call.hasStartedInner = true;
    return outcome;
  }

  function refused(problem: unknown): never {
    ended();
    throw problem;
  }

  /** The time of the host's check and of the hooks behind a middleware is not its own. */
  function ended(): void {
    call.runningNext = undefined;
    if (call.isWaiting && call.earlyResult === undefined) inner.resumeDeadline();
  }

  function tooLate(when: string): TenterhookError {
    return new TenterhookError("hook_timeout", `it called next() after ${when}.`, where);
  }
}
