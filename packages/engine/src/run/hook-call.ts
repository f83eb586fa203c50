import { AsyncResource } from "node:async_hooks";
import { onAbort } from "@tenterhook/internal";
import type { TenterhookError } from "@tenterhook/protocol";
import type { ShadowAnswer } from "../answer/shadow-answer.ts";
import {
  clearDeadline,
  type Deadline,
  type Expiring,
  preciseNow,
  setDeadline,
  tickNow,
} from "../clock/clock.ts";
import type { RunOptions } from "../context/dispatch-options.ts";
import type { Hook } from "../register/hook.ts";
import { type HookSpan, type Observers, TraceEntry } from "../trace/trace.ts";

/** What a hook threw, in an object of its own so that it cannot be mistaken for an answer. */
export class Rejection {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** The first pass calls every hook; the judging pass calls earlier guards again about a changed value. */
export type Pass = TraceEntry["pass"];

/** What a middleware has done with its `next`. */
export interface NextUse {
  /** It was called, whatever came of that. */
  isCalled: boolean;
  /** The host checks its change, or the hooks behind run; the deadline of the middleware is suspended. */
  isRunning: boolean;
  /** The hooks behind were started; only then are they not called again after the middleware. */
  hasStarted: boolean;
  /** What its first call returned. */
  promise: Promise<unknown> | undefined;
  /** It was called twice, which fails the hook even if it swallows the error. */
  misuse: TenterhookError | undefined;
  /** A defect of the engine or the host behind the middleware, which no hook may swallow. */
  defect: Rejection | undefined;
}

/** One call of one hook, and the trace entry that is written about it. It is made where there is something to tell of the call. */
export class HookCall {
  readonly hook: Hook;
  readonly pass: Pass;
  /** The hook's index in its plan. */
  readonly at: number;
  /** Present for a middleware. */
  next: NextUse | undefined = undefined;
  /** Matching was too costly to finish. */
  isMatchUndecided = false;
  /** Its promise is awaited. */
  isWaiting = false;
  /** It has answered, or run out of time. */
  hasEnded = false;
  /** When it ended, if it was timed; by the precise clock if it is observed. */
  endedAt: number | undefined = undefined;
  /** Set for an answer of `shadow()`. */
  shadow: ShadowAnswer | undefined = undefined;
  /** Present where an instrument makes spans. */
  span: HookSpan | undefined = undefined;
  /** Listeners know that it has started, and it is timed by the precise clock. */
  #isObserved = false;
  #startedAt: number | undefined;
  #entry: TraceEntry | undefined;

  constructor(hook: Hook, pass: Pass, at: number, startedAt?: number) {
    this.hook = hook;
    this.pass = pass;
    this.at = at;
    this.#startedAt = startedAt;
  }

  /** Whether anything follows from its answer, but for a record of it. */
  get isEnforced(): boolean {
    return this.shadow === undefined && this.hook.descriptor.enforce !== false;
  }

  /** Gives what a hook of `shadow()` would have done to its report. */
  reportShadow(what: Parameters<ShadowAnswer["report"]>[2]): void {
    this.shadow?.report(this.hook.descriptor.event, this.pass === "judging", what);
  }

  /** The hook is about to be called, and there are listeners. `startedAt` is given if the clock has just been read. */
  observe(observers: Observers, startedAt: number | undefined): void {
    const { descriptor } = this.hook;
    this.#isObserved = true;
    observers.hookEvent("hook:started", descriptor, undefined, undefined, undefined, this.pass === "judging");
    this.span = observers.span(descriptor);
    this.#startedAt = (this.span === undefined ? startedAt : undefined) ?? preciseNow();
  }

  /** The hook is waited for from now on; one that has listeners is timed already. */
  startTiming(): void {
    this.#startedAt ??= tickNow();
  }

  end(): void {
    this.isWaiting = false;
    this.hasEnded = true;
    if (this.#startedAt !== undefined) this.endedAt = this.#isObserved ? preciseNow() : tickNow();
  }

  /** Made when it is first read, after the call has ended. */
  get entry(): TraceEntry {
    if (this.#entry === undefined) {
      this.#entry = new TraceEntry(this.hook.descriptor);
      this.#entry.pass = this.pass;
      const durationMs = (this.endedAt ?? 0) - (this.#startedAt ?? 0);
      if (this.#isObserved || durationMs > 0) {
        this.#entry.startedAt = this.#startedAt;
        this.#entry.durationMs = durationMs;
      }
      if (this.isMatchUndecided) this.#entry.matchUndecided = true;
    }
    return this.#entry;
  }
}

/** A loop that yields its wait for each promise that it must wait for, and is resumed with the value, or the `Rejection`. */
export type Steps<R = void> = Generator<HookWait, R, unknown>;

/** A loop is resumed with it when the time of the hook that it waits for is up. */
export const EXPIRED = Symbol("expired");
/** Thrown into a loop where it waits when the host has cancelled. */
export const CANCELLED = Symbol("cancelled");

/**
 * Waits for the promises of a loop, which makes it when there is something to wait for. When a hook's time is up, the loop is resumed without
 * its promise, whose value is then ignored: so waiting for a hook costs one `await`, and no race.
 */
export class HookWait implements Expiring {
  readonly #signal: RunOptions["signal"];
  /** That of the loop which waits for this one: it is cancelled when this one has ended. */
  readonly #outer: HookWait | undefined;
  #inner: HookWait | undefined = undefined;
  /** What the loop waits for. */
  #waitingFor: PromiseLike<unknown> | undefined = undefined;
  #steps: Steps | undefined = undefined;
  #resolve: (() => void) | undefined = undefined;
  #reject: ((error: unknown) => void) | undefined = undefined;
  #removeAbortListener: (() => void) | undefined = undefined;
  /** Counts up when the loop is resumed: who waits for a promise of before notices. */
  #turn = 0;
  /** The loop itself runs, or calls the hooks behind a middleware: one that aborts is noticed when it has returned. */
  #isRunning = true;
  #deadline: Deadline | undefined = undefined;
  #isExpiring = false;
  /** That of this dispatch: the shared timer runs in the one of another, and hooks that come after a timeout must not. */
  #asyncContext: AsyncResource | undefined = undefined;

  constructor(signal: RunOptions["signal"], outer: HookWait | undefined) {
    this.#signal = signal;
    this.#outer = outer;
  }

  /** What a loop yields to be resumed when the promise has settled. */
  on(promise: PromiseLike<unknown>): this {
    this.#waitingFor = promise;
    return this;
  }

  /** Runs a loop that has yielded for the first time to its end. The promise is rejected only for what the loop throws: a defect. */
  run(steps: Steps): Promise<void> {
    this.#steps = steps;
    this.#isRunning = false;
    this.#asyncContext = new AsyncResource("TENTERHOOK_DISPATCH");
    if (this.#outer !== undefined) this.#outer.#inner = this;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      void this.#drive(() => true);
      this.#followHost();
    });
  }

  /** Calls the hooks behind a middleware of this loop; it is cancelled after them. */
  callBehind(call: () => Promise<void> | undefined): Promise<void> | undefined {
    const wasRunning = this.#isRunning;
    this.#isRunning = true;
    try {
      return call();
    } finally {
      this.#isRunning = wasRunning;
      if (this.#signal?.aborted) this.#cancel();
    }
  }

  /** The loop is about to wait for a hook. The deadline of the hook before it is kept when it is due at the same time. */
  setDeadline(timeoutMs: number): void {
    if (this.#deadline?.due === tickNow() + timeoutMs) return;
    this.clearDeadline();
    this.#deadline = setDeadline(timeoutMs, this);
  }

  clearDeadline(): void {
    this.#isExpiring = false;
    if (this.#deadline === undefined) return;
    clearDeadline(this.#deadline);
    this.#deadline = undefined;
  }

  expired(): void {
    this.#deadline = undefined;
    this.#isExpiring = true;
    this.#asyncContext?.runInAsyncScope(queueMicrotask, undefined, () => {
      if (this.#isExpiring) void this.#drive(() => this.#resume(EXPIRED));
    });
  }

  /** Throws what the host's signal throws: then the loop is not continued. */
  #followHost(): void {
    if (this.#outer !== undefined || this.#signal?.aborted !== false) return;
    try {
      this.#removeAbortListener = onAbort(this.#signal, () => this.#cancel());
    } catch (error) {
      this.#turn++;
      this.#end();
      throw error;
    }
  }

  /** Resumes the loop with one promise after the other. It ends before the loop does if the loop has been resumed without its promise. */
  async #drive(start: () => boolean): Promise<void> {
    try {
      let isWaiting = start();
      while (isWaiting) {
        const turn = this.#turn;
        // The promise is awaited all the same, so that its rejection is handled.
        if (this.#signal?.aborted) this.#cancel();
        let result: unknown;
        try {
          result = await this.#waitingFor;
        } catch (error) {
          result = new Rejection(error);
        }
        if (turn !== this.#turn) return;
        isWaiting = this.#resume(result);
      }
      this.#end();
      this.#resolve?.();
    } catch (error) {
      this.#end();
      this.#reject?.(error);
    }
  }

  /** False at the end of the loop. */
  #resume(result: unknown): boolean {
    this.#turn++;
    this.#isExpiring = false;
    this.#isRunning = true;
    const done = this.#steps?.next(result).done;
    this.#isRunning = false;
    return done === false;
  }

  /** The innermost loop ends first, and its end cancels the one that waits for it. One that runs is cancelled when it waits again. */
  #cancel(): void {
    if (this.#isRunning) return;
    if (this.#inner !== undefined) {
      this.#inner.#cancel();
      return;
    }
    this.#turn++;
    try {
      this.#steps?.throw(CANCELLED);
      this.#end();
      this.#resolve?.();
    } catch (error) {
      this.#end();
      this.#reject?.(error);
    }
  }

  #end(): void {
    this.clearDeadline();
    this.#removeAbortListener?.();
    const outer = this.#outer;
    if (outer === undefined) return;
    outer.#inner = undefined;
    if (this.#signal?.aborted) outer.#cancel();
  }
}
