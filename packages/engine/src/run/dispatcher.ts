import { block, type EventName, type Payload } from "@tenterhook/protocol";
import { runCheck } from "../answer/run-check.ts";
import { verdictFor } from "../answer/verdict.ts";
import type { DispatchOptions } from "../context/dispatch-options.ts";
import type { Context } from "../context/hook-context.ts";
import type { Plan } from "../plan/plan.ts";
import type { Background } from "./background.ts";
import type { Dispatch } from "./dispatch.ts";
import { DispatchState } from "./dispatch-state.ts";
import type { Progress } from "./hook-call.ts";
import { HookSequence } from "./hook-sequence.ts";
import { RemainingHooks } from "./remaining-hooks.ts";
import type { Runtime } from "./runtime.ts";

/** Runs a plan with bookkeeping: from its first hook, or from where a run without bookkeeping has come. */
export function runPlan<E extends EventName>(
  runtime: Runtime,
  plan: Plan,
  context: Context<E>,
  options: DispatchOptions<E> | undefined,
  progress?: Progress,
): Dispatch<E> | Promise<Dispatch<E>> {
  return new Dispatcher(new DispatchState(plan, context, options, runtime), runtime.background).run(progress);
}

/**
 * The stages of one dispatch: calls the sync hooks in order, calls earlier guards again about the final value, and ends in
 * one verdict. It is synchronous for as long as the hooks are.
 */
class Dispatcher<E extends EventName> {
  readonly #state: DispatchState<E>;
  readonly #background: Background;

  constructor(state: DispatchState<E>, background: Background) {
    this.#state = state;
    this.#background = background;
  }

  run({ index, times, call }: Progress = { index: 0 }): Dispatch<E> | Promise<Dispatch<E>> {
    const state = this.#state;
    state.recorder.continueAfter(index, times);
    const remaining = new RemainingHooks(state, "first", index, state.plan.sync.length);
    return new HookSequence(state, remaining).start(() => this.#judgeAgain(), call);
  }

  /** A guard that passed before a later change is called once more, about the value that will really be used. */
  #judgeAgain(): Dispatch<E> | Promise<Dispatch<E>> {
    const { value, verdict, row } = this.#state;
    if (!value.isChanged || verdict !== undefined) return this.#close();
    if (value.judgeAgainBefore === 0 || row.block.action === "record") return this.#permit();
    const { runContext } = value;
    value.renewContext(runContext.fork(true));
    runContext.release();
    const earlier = new RemainingHooks(this.#state, "judging", 0, value.judgeAgainBefore);
    return new HookSequence(this.#state, earlier).start(() => this.#permit());
  }

  /** The host's own permission check, on a value that it has not seen. */
  #permit(): Dispatch<E> | Promise<Dispatch<E>> {
    const state = this.#state;
    const { options, value, plan } = state;
    if (state.verdict !== undefined || options?.permit === undefined) return this.#close();
    const waiting = runCheck(
      () => options.permit?.(value.payload as Payload<E>),
      (refusal) => {
        if (refusal !== undefined) state.verdict ??= verdictFor(plan.event, block(refusal));
      },
    );
    return waiting === undefined ? this.#close() : waiting.then(() => this.#close());
  }

  #close(): Dispatch<E> {
    const state = this.#state;
    const dispatch = state.close();
    if (state.plan.background.length > 0) this.#background.start(state);
    state.observers.trace(dispatch);
    return dispatch;
  }
}
