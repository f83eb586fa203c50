import { AsyncResource } from "node:async_hooks";
import { isThenable, onAbort } from "@tenterhook/internal";
import { type EventName, type Outcome, proceed, TenterhookError } from "@tenterhook/protocol";
import { tickNow } from "../clock/clock.ts";
import type { Expiring } from "../clock/deadlines.ts";
import { HookDeadline } from "../clock/hook-deadline.ts";
import type { Match } from "../match/match.ts";
import type { Hook } from "../register/hook.ts";
import type { DispatchState } from "./dispatch-state.ts";
import {
  type EarlierCall,
  HookCall,
  type Pass,
  type RawResult,
  Rejection,
  type StartedCall,
} from "./hook-call.ts";
import { middlewareNext } from "./middleware-next.ts";

/**
 * Calls the hooks of a part of a plan in order. It runs synchronously until a hook returns a promise, and from then on as
 * one async function. When a hook's time is up, that function is abandoned where it waits and another one continues: this
 * way waiting for a hook costs one `await`, and no race.
 */
export class HookSequence<E extends EventName> implements Expiring {
  readonly #dispatch: DispatchState<E>;
  readonly #pass: Pass;
  readonly #end: number;
  #index: number;
  /** A hook whose promise is awaited and which has no trace entry yet. Most never need one. */
  #plainHook: Hook | undefined;
  #call: HookCall | undefined;
  readonly #deadline = new HookDeadline();
  /** Counts up when a waiting function is abandoned, so that it notices when it resumes. */
  #epoch = 0;
  /** Called when the last hook has ended. */
  #done: (() => unknown) | undefined;
  #resolve: ((value: never) => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;
  #removeAbortListener: (() => void) | undefined;
  /**
   * The async context of this dispatch, once it waits: the shared timer runs in that of another one, and hooks that come after
   * a timeout must not.
   */
  #asyncContext: AsyncResource | undefined;

  constructor(dispatch: DispatchState<E>, pass: Pass, from: number, end: number) {
    this.#dispatch = dispatch;
    this.#pass = pass;
    this.#index = from;
    this.#end = end;
  }

  /**
   * Calls the hooks and then `done`: at once when none of them returns a promise, else the promise is for what `done`
   * returns. `earlier` is given when the first of them has been called already.
   */
  start<T>(done: () => T | Promise<T>, earlier?: EarlierCall): T | Promise<T> {
    const first = this.#dispatch.plan.sync[this.#index]?.hook;
    const waiting = (earlier && first && this.#takeOver(first, earlier)) ?? this.#advance();
    return waiting === undefined ? done() : this.#wait(waiting, done);
  }

  /** Continues with a hook from where it is. */
  #takeOver(hook: Hook, earlier: EarlierCall): PromiseLike<unknown> | undefined {
    switch (earlier.type) {
      case "returned":
        return this.#receivePlain(hook, earlier.result);
      case "observed":
        this.#call = this.#newCall(hook, earlier.started);
        return this.#receive(this.#call, earlier.result);
      case "settled": {
        const { calledAt, result } = earlier;
        if (result === undefined) {
          this.#dispatch.recorder.quietTimed(hook.descriptor, calledAt, tickNow() - calledAt);
          this.#index++;
          return;
        }
        this.#call = this.#newCall(hook, calledAt);
        return this.#accept(this.#call, result);
      }
      case "expired":
        this.#expire(this.#newCall(hook, earlier.calledAt));
        return;
    }
  }

  #newCall(hook: Hook, started?: StartedCall | number): HookCall {
    return new HookCall(hook, this.#pass, this.#dispatch.observers, started);
  }

  #expire(call: HookCall): void {
    call.end();
    this.#dispatch.expire(call);
    this.#finish(call);
  }

  /** A hook's time is up. */
  expired(): void {
    this.#deadline.expired();
    this.#asyncContext?.runInAsyncScope(queueMicrotask, undefined, () => this.#abandon());
  }

  /** Abandons a hook whose time is up, and continues with the next. */
  #abandon(): void {
    const call = this.#currentCall();
    if (call === undefined || call.hasAnswered || this.#deadline.isSet) return;
    this.#epoch++;
    void this.#drive(() => {
      this.#expire(call);
      return this.#advance();
    });
  }

  #wait<T>(first: PromiseLike<unknown>, done: () => T | Promise<T>): Promise<T> {
    this.#done = done;
    this.#asyncContext = new AsyncResource("TENTERHOOK_DISPATCH");
    return new Promise<T>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      void this.#drive(() => first);
      const signal = this.#dispatch.options?.signal;
      // It may have fired while the hook was called.
      if (signal !== undefined)
        this.#removeAbortListener = onAbort(signal, () => this.#cancel(signal.reason));
    });
  }

  #cancel(reason: unknown): void {
    const call = this.#currentCall();
    this.#epoch++;
    call?.end();
    this.#dispatch.cancel(reason, call);
    call?.span?.end(call.entry);
    this.#settle();
  }

  async #drive(start: () => PromiseLike<unknown> | undefined): Promise<void> {
    const epoch = this.#epoch;
    try {
      let waiting = start();
      while (waiting !== undefined) {
        let answer: unknown;
        let rejection: Rejection | undefined;
        try {
          answer = await waiting;
        } catch (error) {
          rejection = new Rejection(error);
        }
        if (epoch !== this.#epoch) return;
        waiting = this.#resume(rejection ?? answer) ?? this.#advance();
      }
      this.#settle();
    } catch (error) {
      // A defect of the engine, not of a hook. The host gets it: a dispatch that never settles would stop the agent without a word.
      this.#deadline.clear();
      this.#removeAbortListener?.();
      this.#reject?.(error);
    }
  }

  /** The awaited promise has settled: that of a hook, or of what its answer started. */
  #resume(result: RawResult): PromiseLike<unknown> | undefined {
    if (this.#plainHook !== undefined && result === undefined) {
      const { descriptor } = this.#plainHook;
      const { recorder } = this.#dispatch;
      if (this.#deadline.isOfThisTick) recorder.quiet(descriptor);
      else recorder.quietTimed(descriptor, this.#deadline.setAt, tickNow() - this.#deadline.setAt);
      this.#plainHook = undefined;
      this.#index++;
      return;
    }
    const call = this.#currentCall();
    if (call === undefined) return;
    // What its answer started may fail too.
    if (!call.hasAnswered || result instanceof Rejection) return this.#accept(call, result);
    this.#finish(call);
    return;
  }

  #currentCall(): HookCall | undefined {
    if (this.#plainHook !== undefined) {
      this.#call = this.#newCall(this.#plainHook, this.#deadline.setAt);
      this.#plainHook = undefined;
    }
    return this.#call;
  }

  #settle(): void {
    this.#deadline.clear();
    this.#removeAbortListener?.();
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.(this.#done?.() as never);
  }

  /** Calls hooks until one returns a promise, and returns that promise. */
  #advance(): PromiseLike<unknown> | undefined {
    const dispatch = this.#dispatch;
    while (this.#index < this.#end && dispatch.verdict === undefined) {
      const planned = dispatch.plan.sync[this.#index];
      if (planned === undefined) return;
      const { hook } = planned;
      const match =
        this.#pass === "judging" && !hook.descriptor.rejudge ? "no" : dispatch.value.matches(planned);
      if (match === "no") {
        if (this.#pass === "first") dispatch.recorder.notCalled(hook.descriptor, "unmatched");
        this.#index++;
        continue;
      }
      const waiting =
        match === "yes" && this.#isPlain(hook) ? this.#callPlain(hook) : this.#callHook(hook, match);
      if (waiting !== undefined) return waiting;
    }
    return;
  }

  /** There are no observers, and the hook wraps nothing: it needs no trace entry unless it answers. */
  #isPlain(hook: Hook): boolean {
    return !hook.isMiddleware && this.#pass === "first" && !this.#dispatch.observers.watching;
  }

  #callPlain(hook: Hook): PromiseLike<unknown> | undefined {
    let result: RawResult;
    try {
      result = hook.handle(this.#dispatch.value.context as never);
    } catch (error) {
      result = new Rejection(error);
    }
    return this.#receivePlain(hook, result);
  }

  #receivePlain(hook: Hook, result: RawResult): PromiseLike<unknown> | undefined {
    if (result === undefined) {
      this.#dispatch.recorder.quiet(hook.descriptor);
      this.#index++;
      return;
    }
    if (isThenable(result)) {
      this.#plainHook = hook;
      this.#deadline.set(hook.descriptor.timeoutMs, this);
      return result;
    }
    this.#call = this.#newCall(hook);
    return this.#accept(this.#call, result);
  }

  #callHook(hook: Hook, match: Match | TenterhookError): PromiseLike<unknown> | undefined {
    const call = this.#newCall(hook);
    this.#call = call;
    if (match === "unknown") call.entry.matchUndecided = true;
    if (match instanceof TenterhookError) return this.#receive(call, new Rejection(match));
    const { span } = call;
    return this.#receive(call, span === undefined ? this.#invoke(call) : span.run(() => this.#invoke(call)));
  }

  #invoke(call: HookCall): RawResult {
    const { hook } = call;
    try {
      const context = this.#dispatch.value.context as never;
      return hook.isMiddleware ? hook.handle(context, this.#next(call) as never) : hook.handle(context);
    } catch (error) {
      return new Rejection(error);
    }
  }

  /** Takes a hook's answer, or waits for it. */
  #receive(call: HookCall, result: RawResult): PromiseLike<unknown> | undefined {
    if (!isThenable(result)) return this.#accept(call, result);
    call.startWaiting();
    if (!call.isInnerRunning) this.#deadline.set(call.hook.descriptor.timeoutMs, this);
    return result;
  }

  /** Gives the hook's answer to the dispatch; returns what that waits for, if it does. */
  #accept(call: HookCall, result: RawResult): PromiseLike<unknown> | undefined {
    call.end();
    // What a middleware changes after the hooks behind it have run, all of them must judge again.
    const at = call.hasCalledNext ? this.#dispatch.plan.sync.length : this.#index;
    const taken = call.misuse === undefined ? result : new Rejection(call.misuse);
    const waiting = this.#dispatch.accept(at, call, taken);
    if (waiting === undefined) this.#finish(call);
    return waiting;
  }

  #finish(call: HookCall): void {
    this.#call = undefined;
    call.span?.end(call.entry);
    // In the second judgement `next` calls nothing: each guard is called by itself.
    const hasRunInner = call.hasCalledNext && this.#pass === "first";
    this.#index = hasRunInner ? this.#end : this.#index + 1;
  }

  #next(call: HookCall): (patch?: object) => Outcome | Promise<Outcome> {
    const epoch = this.#epoch;
    return middlewareNext(call, {
      isAbandoned: () => epoch !== this.#epoch,
      change: (patch) => this.#dispatch.changeFor(this.#index, call, patch),
      run: () => this.#runInner(call),
    });
  }

  #runInner(call: HookCall): Outcome | Promise<Outcome> {
    const inner = new HookSequence(this.#dispatch, this.#pass, this.#index + 1, this.#end);
    const outcome = inner.start(() => {
      call.isInnerRunning = false;
      if (this.#call === call && call.isWaiting) this.#deadline.set(call.hook.descriptor.timeoutMs, this);
      return this.#dispatch.verdict?.outcome ?? proceed();
    });
    if (outcome instanceof Promise) {
      call.isInnerRunning = true;
      this.#deadline.clear();
    }
    return outcome;
  }
}
