import { isThenable } from "@tenterhook/internal";
import { type EventName, type Outcome, TenterhookError } from "@tenterhook/protocol";
import type { Hook } from "../register/hook.ts";
import { acceptResult } from "./accept-result.ts";
import type { DispatchState } from "./dispatch-state.ts";
import { type EarlierCall, HookCall, type RawResult, Rejection } from "./hook-call.ts";
import { invokeHook, invokePlain } from "./invoke-hook.ts";
import { middlewareNext } from "./middleware-next.ts";
import type { RemainingHooks } from "./remaining-hooks.ts";
import { type AwaitedHooks, SequenceWait } from "./sequence-wait.ts";

/** Calls the hooks of a part of a plan in order. It runs synchronously until a hook returns a promise. */
export class HookSequence<E extends EventName> implements AwaitedHooks {
  readonly #dispatch: DispatchState<E>;
  readonly #remaining: RemainingHooks<E>;
  /** The hook that is called, or waited for. */
  #call: HookCall | undefined;
  /** Made for the first promise. */
  #wait: SequenceWait | undefined;

  constructor(dispatch: DispatchState<E>, remaining: RemainingHooks<E>) {
    this.#dispatch = dispatch;
    this.#remaining = remaining;
  }

  /**
   * Calls the hooks and then `done`: at once when none of them returns a promise, else the promise is for what `done`
   * returns. `earlier` is given when the first of them has been called already.
   */
  start<T>(done: () => T | Promise<T>, earlier?: EarlierCall): T | Promise<T> {
    const { first } = this.#remaining;
    const waiting = (earlier && first && this.#takeOver(first, earlier)) ?? this.#advance();
    return waiting === undefined
      ? done()
      : this.#waiting.start(waiting, this.#dispatch.options?.signal, done);
  }

  get isHookRunning(): boolean {
    const call = this.#call;
    return call !== undefined && !call.hasAnswered && call.runningNext === undefined;
  }

  resume(result: RawResult): PromiseLike<unknown> | undefined {
    const call = this.#call;
    if (call === undefined) return this.#advance();
    if (call.earlyResult !== undefined)
      return this.#acceptEarly(call, call.earlyResult.result, result) ?? this.#advance();
    // What its answer started may fail too.
    if (!call.hasAnswered || result instanceof Rejection)
      return this.#accept(call, result) ?? this.#advance();
    this.#finish(call);
    return this.#advance();
  }

  expire(): PromiseLike<unknown> | undefined {
    const call = this.#call;
    if (call !== undefined) {
      call.end();
      this.#dispatch.expire(call);
      this.#finish(call);
    }
    return this.#advance();
  }

  cancel(reason: unknown): void {
    const call = this.#call;
    call?.end();
    this.#dispatch.cancel(reason, call);
    call?.span?.end(call.entry);
  }

  get #waiting(): SequenceWait {
    this.#wait ??= new SequenceWait(this);
    return this.#wait;
  }

  /** Continues with a hook from where it is. */
  #takeOver(hook: Hook, earlier: EarlierCall): PromiseLike<unknown> | undefined {
    const call = HookCall.continued(hook, earlier);
    this.#call = call;
    switch (earlier.type) {
      case "returned":
        return this.#receive(call, earlier.result);
      case "settled":
        return this.#accept(call, earlier.result);
      case "expired":
        return this.expire();
    }
  }

  /** Calls hooks until one returns a promise, and returns that promise. */
  #advance(): PromiseLike<unknown> | undefined {
    for (let hook = this.#remaining.next(); hook !== undefined; hook = this.#remaining.next()) {
      const waiting = this.#isPlain(hook) ? this.#callPlain(hook) : this.#callHook(hook);
      if (waiting !== undefined) return waiting;
    }
    return;
  }

  /** A hook that wraps nothing and has no span needs a `HookCall` only if it returns something. */
  #isPlain({ isMiddleware }: Hook): boolean {
    const { match, pass } = this.#remaining;
    return match === "yes" && pass === "first" && !isMiddleware && !this.#dispatch.observers.makeSpans;
  }

  #callPlain(hook: Hook): PromiseLike<unknown> | undefined {
    const earlier = invokePlain(this.#dispatch, hook);
    if (earlier !== undefined) return this.#takeOver(hook, earlier);
    this.#remaining.index++;
    return;
  }

  #callHook(hook: Hook): PromiseLike<unknown> | undefined {
    const { match, pass } = this.#remaining;
    const call = new HookCall(hook, pass);
    this.#call = call;
    call.isMatchUndecided = match === "unknown";
    call.start(this.#dispatch.observers);
    if (match instanceof TenterhookError) return this.#receive(call, new Rejection(match));
    const next = hook.isMiddleware ? this.#next(call) : undefined;
    return this.#receive(call, invokeHook(call, this.#dispatch.value.context, next));
  }

  /** Takes a hook's answer, or waits for it. */
  #receive(call: HookCall, result: RawResult): PromiseLike<unknown> | undefined {
    if (!isThenable(result)) return this.#accept(call, result);
    call.startWaiting();
    if (call.runningNext === undefined) this.#waiting.setDeadline(call.hook.descriptor.timeoutMs);
    return result;
  }

  /** Gives the hook's answer to the dispatch; returns what that waits for, if it does. */
  #accept(call: HookCall, result: RawResult): PromiseLike<unknown> | undefined {
    if (call.runningNext !== undefined) {
      call.startWaiting();
      call.earlyResult = { result };
      return call.runningNext;
    }
    call.end();
    // What a middleware changes after the hooks behind it have run, all of them must judge again.
    const at = call.hasStartedInner ? this.#dispatch.plan.sync.length : this.#remaining.index;
    const taken = call.misuse === undefined ? result : new Rejection(call.misuse);
    const waiting = acceptResult(this.#dispatch, at, call, taken);
    if (waiting === undefined) this.#finish(call);
    return waiting;
  }

  /** The `next` of a middleware has ended that had returned before: it is read now, after the hooks behind it. */
  #acceptEarly(call: HookCall, early: RawResult, ofNext: RawResult): PromiseLike<unknown> | undefined {
    call.earlyResult = undefined;
    if (!(ofNext instanceof Rejection)) return this.#accept(call, early);
    // A defect of the engine behind it, which no hook may swallow.
    if (call.runningNext !== undefined) throw ofNext.error;
    // Its change was refused, which it did not wait to see.
    return this.#accept(call, early instanceof Rejection ? early : ofNext);
  }

  #finish(call: HookCall): void {
    this.#call = undefined;
    call.span?.end(call.entry);
    this.#remaining.end(call);
  }

  #next(call: HookCall): (patch?: object) => Outcome | Promise<Outcome> {
    return middlewareNext(this.#dispatch, this.#remaining.index, call, {
      run: (done) => new HookSequence(this.#dispatch, this.#remaining.behind()).start(done),
      suspendDeadline: () => this.#wait?.clearDeadline(),
      resumeDeadline: () => this.#waiting.setDeadline(call.hook.descriptor.timeoutMs),
    });
  }
}
