import type { TenterhookError } from "@tenterhook/protocol";
import type { ShadowAnswer } from "../answer/shadow-answer.ts";
import { preciseNow, tickNow } from "../clock/clock.ts";
import type { Hook } from "../register/hook.ts";
import type { HookSpan, Observers } from "../trace/observers.ts";
import { TraceEntry } from "../trace/trace.ts";

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
