import type { EventName, TenterhookError } from "@tenterhook/protocol";
import type { Match } from "../match/match.ts";
import type { Hook } from "../register/hook.ts";
import type { DispatchState } from "./dispatch-state.ts";
import type { HookCall, Pass } from "./hook-call.ts";

/** The hooks of a part of a plan that have not ended yet, in order. */
export class RemainingHooks<E extends EventName> {
  readonly pass: Pass;
  /** That of the hook that is called, or comes next. */
  index: number;
  /** Whether the hook that `next` returned matches. */
  match: Match | TenterhookError = "yes";
  readonly #dispatch: DispatchState<E>;
  readonly #end: number;

  constructor(dispatch: DispatchState<E>, pass: Pass, from: number, end: number) {
    this.#dispatch = dispatch;
    this.pass = pass;
    this.index = from;
    this.#end = end;
  }

  /** The first of them, whether it matches or not. */
  get first(): Hook | undefined {
    return this.#dispatch.plan.sync[this.index]?.hook;
  }

  /** The hook to call now; those before it that do not match have ended. `undefined` at the end, and after a verdict or an abort. */
  next(): Hook | undefined {
    const { plan, recorder, value } = this.#dispatch;
    this.#dispatch.cancelIfAborted();
    for (; this.index < this.#end && this.#dispatch.verdict === undefined; this.index++) {
      const planned = plan.sync[this.index];
      if (planned === undefined) return;
      const { hook } = planned;
      this.match = this.pass === "judging" && this.#isCalledOnce(hook) ? "no" : value.matches(planned);
      if (this.match !== "no") return hook;
      if (this.pass === "first") recorder.notCalled(hook.descriptor, "unmatched");
    }
    return;
  }

  #isCalledOnce(hook: Hook): boolean {
    return !hook.descriptor.rejudge || this.#dispatch.objected?.has(hook) === true;
  }

  /** The hooks behind the one that is called. */
  behind(): RemainingHooks<E> {
    return new RemainingHooks(this.#dispatch, this.pass, this.index + 1, this.#end);
  }

  /** The hook that was called has ended, and with a middleware those behind it that its `next` has started. */
  end(call: HookCall): void {
    this.index = call.hasStartedInner ? this.#end : this.index + 1;
  }
}
