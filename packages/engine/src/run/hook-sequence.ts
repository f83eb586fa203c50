import { isThenable } from "@tenterhook/internal";
import { type EventName, type Outcome, TenterhookError } from "@tenterhook/protocol";
import type { Match } from "../match/match.ts";
import type { Hook } from "../register/hook.ts";
import { acceptResult } from "./accept-result.ts";
import type { DispatchState } from "./dispatch-state.ts";
import { type EarlierCall, HookCall, type Pass, type RawResult, Rejection } from "./hook-call.ts";
import { invokeHook, invokePlain } from "./invoke-hook.ts";
import { middlewareNext } from "./middleware-next.ts";
import { type AwaitedHooks, SequenceWait } from "./sequence-wait.ts";

/** Calls the hooks of a part of a plan in order. It runs synchronously until a hook returns a promise. */
export class HookSequence<E extends EventName> implements AwaitedHooks {
  readonly #dispatch: DispatchState<E>;
  readonly #pass: Pass;
  readonly #end: number;
  #index: number;
  /** The hook that is called, or waited for. */
  #call: HookCall | undefined;
  /** Made for the first promise. */
  #wait: SequenceWait | undefined;

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
    return waiting === undefined
      ? done()
      : this.#waiting.start(waiting, this.#dispatch.options?.signal, done);
  }

  get isHookRunning(): boolean {
    return this.#call !== undefined && !this.#call.hasAnswered;
  }

  resume(result: RawResult): PromiseLike<unknown> | undefined {
    const call = this.#call;
    if (call === undefined) return this.#advance();
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
      const waiting = this.#isPlain(hook, match) ? this.#callPlain(hook) : this.#callHook(hook, match);
      if (waiting !== undefined) return waiting;
    }
    return;
  }

  /** A hook that wraps nothing and has no span needs a `HookCall` only if it returns something. */
  #isPlain(hook: Hook, match: Match | TenterhookError): boolean {
    return (
      match === "yes" && this.#pass === "first" && !hook.isMiddleware && !this.#dispatch.observers.makeSpans
    );
  }

  #callPlain(hook: Hook): PromiseLike<unknown> | undefined {
    const earlier = invokePlain(this.#dispatch, hook);
    if (earlier !== undefined) return this.#takeOver(hook, earlier);
    this.#index++;
    return;
  }

  #callHook(hook: Hook, match: Match | TenterhookError): PromiseLike<unknown> | undefined {
    const call = new HookCall(hook, this.#pass);
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
    if (!call.isInnerRunning) this.#setDeadline(call);
    return result;
  }

  /** Gives the hook's answer to the dispatch; returns what that waits for, if it does. */
  #accept(call: HookCall, result: RawResult): PromiseLike<unknown> | undefined {
    call.end();
    // What a middleware changes after the hooks behind it have run, all of them must judge again.
    const at = call.hasCalledNext ? this.#dispatch.plan.sync.length : this.#index;
    const taken = call.misuse === undefined ? result : new Rejection(call.misuse);
    const waiting = acceptResult(this.#dispatch, at, call, taken);
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
    return middlewareNext(this.#dispatch, this.#index, call, {
      run: (done) => new HookSequence(this.#dispatch, this.#pass, this.#index + 1, this.#end).start(done),
      suspendDeadline: () => this.#wait?.clearDeadline(),
      resumeDeadline: () => this.#setDeadline(call),
    });
  }

  #setDeadline({ hook }: HookCall): void {
    this.#waiting.setDeadline(hook.descriptor.timeoutMs);
  }
}
