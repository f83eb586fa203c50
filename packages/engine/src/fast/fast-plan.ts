import { isThenable } from "@tenterhook/internal";
import { type EventName, type Payload, proceed } from "@tenterhook/protocol";
import type { DispatchOptions } from "../context/dispatch-options.ts";
import { type Context, EventContext } from "../context/hook-context.ts";
import type { Plan } from "../plan/plan.ts";
import { Dispatch } from "../run/dispatch.ts";
import { runPlan } from "../run/dispatcher.ts";
import type { RawResult } from "../run/hook-call.ts";
import type { Runtime } from "../run/runtime.ts";
import { QuietRecord } from "../trace/quiet-record.ts";
import { Times } from "../trace/times.ts";
import { type CompiledPlan, compilePlan } from "./compile-plan.ts";
import { type QuietPlan, QuietWait } from "./quiet-wait.ts";
import { fastPath } from "./switch.ts";

/** What the fast path makes of a plan. */
export class FastPlan implements QuietPlan {
  readonly plan: Plan;
  readonly runtime: Runtime;
  readonly record: QuietRecord;
  /** Runs the plan, once it is hot. Never set for a plan that needs the bookkeeping. */
  run: CompiledPlan | undefined = undefined;
  #runsUntilHot: number;

  constructor(plan: Plan, runtime: Runtime) {
    this.plan = plan;
    this.runtime = runtime;
    this.record = new QuietRecord(runtime.tracing ? plan.descriptors : []);
    this.#runsUntilHot = isPlain(plan) ? fastPath.runsUntilHot : Number.POSITIVE_INFINITY;
  }

  /** Counts a run; returns the function of a plan that is hot now. */
  warmUp(): CompiledPlan | undefined {
    if (--this.#runsUntilHot > 0) return undefined;
    const handles = this.plan.sync.map(({ hook }) => hook.handle);
    this.run = compilePlan(handles, this);
    // Where code generation is forbidden, all runs are with bookkeeping.
    if (this.run === undefined) this.#runsUntilHot = Number.POSITIVE_INFINITY;
    return this.run;
  }

  /**
   * All hooks were called, and none answered. `moments`, where it was timed: when the first hook started, and when each one ended.
   * Hooks follow each other at once, so one reading is the end of a hook and the start of the next.
   */
  finish<E extends EventName>(
    context: Context<E>,
    options: DispatchOptions<E> | undefined,
    moments: readonly number[] | undefined,
  ): Dispatch<E> {
    const { plan, runtime } = this;
    if (options?.signal !== undefined) EventContext.release(context);
    const payload = context.payload as Payload<E>;
    if (moments === undefined) return new Dispatch(plan.event as E, payload, proceed(), this.record);
    const record = new QuietRecord(runtime.tracing ? plan.descriptors : [], new Times(moments));
    const dispatch = new Dispatch(plan.event as E, payload, proceed(), record);
    runtime.observers.trace(dispatch);
    return dispatch;
  }

  /** The hook at this index returned something, or threw. Without a result, the one before it has aborted. */
  stop<E extends EventName>(
    context: Context<E>,
    options: DispatchOptions<E> | undefined,
    moments: readonly number[] | undefined,
    index: number,
    result: RawResult,
  ): Dispatch<E> | Promise<Dispatch<E>> {
    const { plan, runtime } = this;
    const times = moments && new Times(moments);
    if (result === undefined) return runPlan(runtime, plan, context, options, { index, times });
    if (times !== undefined) {
      const call = { type: "returned", startedAt: times.startOf(index), result } as const;
      return runPlan(runtime, plan, context, options, { index, times, call });
    }
    if (options?.signal === undefined && isThenable(result))
      return new QuietWait(this, context, options, index).start(result);
    return runPlan(runtime, plan, context, options, { index, call: { type: "returned", result } });
  }
}

/** Whether the hooks of a plan are simply called one after another. A trace must say by which alias a hook was found. */
function isPlain({ sync, background, matchedAs }: Plan): boolean {
  return (
    matchedAs === undefined &&
    background.length === 0 &&
    sync.every(({ hook, matcher }) => matcher === undefined && !hook.isMiddleware)
  );
}
