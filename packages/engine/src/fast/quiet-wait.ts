import { AsyncResource } from "node:async_hooks";
import { isThenable } from "@tenterhook/internal";
import { type EventName, type Payload, proceed } from "@tenterhook/protocol";
import { joinTick, leaveTick, type TickMember, tickNow } from "../clock/clock.ts";
import { clearDeadline, type Deadline, type Expiring, setDeadline } from "../clock/deadlines.ts";
import type { DispatchOptions } from "../context/dispatch-options.ts";
import type { Context } from "../context/hook-context.ts";
import type { Plan } from "../plan/plan.ts";
import { Dispatch } from "../run/dispatch.ts";
import { runPlan } from "../run/dispatcher.ts";
import { type EarlierCall, type RawResult, Rejection } from "../run/hook-call.ts";
import type { Runtime } from "../run/runtime.ts";
import type { QuietRecord } from "../trace/quiet-record.ts";

/** A plan whose hooks are simply called one after another. */
export interface QuietPlan {
  readonly plan: Plan;
  readonly runtime: Runtime;
  /** The record of all dispatches in which no hook answered. */
  readonly record: QuietRecord;
}

/**
 * Waits for the hooks of a plan one after another, without the bookkeeping of a dispatcher, while each of them
 * resolves to nothing within the tick in which the wait began. In any other case (an answer, an error, a hook that takes
 * time, an observer that was added meanwhile) a dispatcher takes over at that hook. A deadline is set when the tick ends:
 * none can expire before.
 *
 * It is an `AsyncResource` because the shared timer runs in the async context of another dispatch, and the hooks behind a
 * timeout must run in the context of this one. One object instead of three: this is the hot path of async hooks.
 */
export class QuietWait<E extends EventName> extends AsyncResource implements Expiring, TickMember {
  previous: TickMember | undefined;
  next: TickMember | undefined;
  // Not `#private`: the fields of this class are set for every dispatch that waits, and these are set faster.
  private readonly quiet: QuietPlan;
  private readonly context: Context<E>;
  private readonly options: DispatchOptions<E> | undefined;
  private index: number;
  private isOver = false;
  private deadline: Deadline | undefined;
  /** When the tick of this wait began; known when it has ended. */
  private calledAt: number | undefined;
  private resolve: ((dispatch: Dispatch<E> | Promise<Dispatch<E>>) => void) | undefined;
  private reject: ((error: unknown) => void) | undefined;

  /** `index` is that of the hook which returned a promise. */
  constructor(quiet: QuietPlan, context: Context<E>, options: DispatchOptions<E> | undefined, index: number) {
    super("TENTERHOOK_DISPATCH");
    this.quiet = quiet;
    this.context = context;
    this.options = options;
    this.index = index;
  }

  /** Waits for the promise that the first hook returned, and then calls the hooks behind it. */
  start(first: PromiseLike<unknown>): Promise<Dispatch<E>> {
    joinTick(this);
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      void this.drive(first);
    });
  }

  /** The hook that this waits for takes time, so it gets a deadline. */
  tickEnded(beganAt: number): void {
    const timeoutMs = this.quiet.plan.sync[this.index]?.hook.descriptor.timeoutMs ?? 0;
    this.calledAt = beganAt;
    this.deadline = setDeadline(timeoutMs, this);
  }

  /** The hook's time is up. */
  expired(): void {
    this.deadline = undefined;
    this.runInAsyncScope(queueMicrotask, undefined, () => {
      if (!this.isOver) this.handOver({ type: "expired", calledAt: this.calledAt ?? tickNow() });
    });
  }

  private async drive(first: PromiseLike<unknown>): Promise<void> {
    let waiting: PromiseLike<unknown> | undefined = first;
    while (waiting !== undefined) {
      let result: RawResult;
      try {
        result = await waiting;
      } catch (error) {
        result = new Rejection(error);
      }
      if (this.isOver) return;
      const { calledAt } = this;
      if (result !== undefined || calledAt !== undefined) {
        this.handOver({ type: "settled", calledAt: calledAt ?? tickNow(), result });
        return;
      }
      waiting = this.callNext();
    }
  }

  /** Calls hooks until one returns a promise, and returns that promise; `undefined` when this wait is over. */
  private callNext(): PromiseLike<unknown> | undefined {
    const { sync } = this.quiet.plan;
    const { observers } = this.quiet.runtime;
    for (let next = sync[++this.index]; next !== undefined; next = sync[++this.index]) {
      if (observers.watching) break;
      let result: RawResult;
      try {
        result = next.hook.handle(this.context as never);
      } catch (error) {
        result = new Rejection(error);
      }
      if (result === undefined) continue;
      if (isThenable(result)) return result;
      this.handOver({ type: "returned", result });
      return;
    }
    if (observers.watching) this.handOver();
    else this.finish();
    return;
  }

  private finish(): void {
    const payload = this.context.payload as Payload<E>;
    this.isOver = true;
    leaveTick(this);
    this.resolve?.(new Dispatch(this.quiet.plan.event as E, payload, proceed(), this.quiet.record));
  }

  /** Lets the bookkeeping continue at the hook that this waits for; without `call` that hook has not been called yet. */
  private handOver(call?: EarlierCall): void {
    const { runtime, plan } = this.quiet;
    this.isOver = true;
    // Before hooks are called that set deadlines of their own.
    if (this.deadline !== undefined) clearDeadline(this.deadline);
    else if (this.calledAt === undefined) leaveTick(this);
    try {
      const { index } = this;
      this.resolve?.(runPlan(runtime, plan, this.context, this.options, { index, call }));
    } catch (error) {
      // A defect of the engine; see `HookSequence`.
      this.reject?.(error);
    }
  }
}
