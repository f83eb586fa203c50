import type { TenterhookError } from "@tenterhook/protocol";
import type { ShadowAnswer } from "../answer/shadow-answer.ts";
import { preciseNow, tickNow } from "../clock/clock.ts";
import type { Hook } from "../register/hook.ts";
import type { HookSpan, Observers } from "../trace/observers.ts";
import type { Times } from "../trace/times.ts";
import { TraceEntry } from "../trace/trace.ts";

/** What a hook threw, in an object of its own so that it cannot be mistaken for an answer. */
export class Rejection {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** What a hook returned before it is read: an answer, a promise of one, or a `Rejection`. */
export type RawResult = unknown;

/** The first pass calls every hook; the judging pass calls earlier guards again about a changed value. */
export type Pass = TraceEntry["pass"];

/** How far a hook is that was called before the dispatch needed bookkeeping. */
export type EarlierCall =
  /** It has just returned or thrown. `startedAt` is precise, and present where there are listeners. */
  | { readonly type: "returned"; readonly result: RawResult; readonly startedAt?: number | undefined }
  /** The promise that it returned has settled. */
  | { readonly type: "settled"; readonly result: RawResult; readonly calledAt: number }
  /** Its time is up. */
  | { readonly type: "expired"; readonly calledAt: number };

/** Where a run continues that began without bookkeeping. */
export interface Progress {
  /** The hook to continue with; those before it did not answer. */
  readonly index: number;
  /** Absent when that hook has not been called yet. */
  readonly call?: EarlierCall | undefined;
  /** When the hooks before it started and ended, where there are listeners. */
  readonly times?: Times | undefined;
}

/** One call of one hook, and the trace entry that is written about it. */
export class HookCall {
  readonly hook: Hook;
  readonly pass: Pass;
  /** Its promise is awaited. */
  isWaiting = false;
  /** The answer was read; what is awaited now is an approver or the host. */
  hasAnswered = false;
  /** Set for a middleware that called `next`, whatever came of that. */
  hasCalledNext = false;
  /** Set for a middleware whose `next` has started the hooks behind it; only then are they not called again after it. */
  hasStartedInner = false;
  /** What `next` returned, until the host's check of its change and the hooks behind have ended; the deadline is suspended meanwhile. */
  runningNext: Promise<unknown> | undefined = undefined;
  /** What a middleware returned while its `next` was running; it is read after that. */
  earlyResult: { readonly result: RawResult } | undefined = undefined;
  /** Matching was too costly to finish. */
  isMatchUndecided = false;
  /** Listeners know that it has started, and it is timed by the precise clock. */
  isObserved = false;
  /** Set for an answer of `shadow()`. */
  shadow: ShadowAnswer | undefined = undefined;
  /** `next` was called twice, which fails the hook even if it swallowed the error. */
  misuse: TenterhookError | undefined = undefined;
  /** Present where an instrument makes spans. */
  span: HookSpan | undefined = undefined;
  startedAt: number | undefined = undefined;
  durationMs: number | undefined = undefined;
  #entry: TraceEntry | undefined;

  constructor(hook: Hook, pass: Pass) {
    this.hook = hook;
    this.pass = pass;
  }

  /** A hook that has been called before there was bookkeeping. */
  static continued(hook: Hook, earlier: EarlierCall): HookCall {
    const call = new HookCall(hook, "first");
    call.startedAt = earlier.type === "returned" ? earlier.startedAt : earlier.calledAt;
    call.isObserved = earlier.type === "returned" && earlier.startedAt !== undefined;
    return call;
  }

  /** Whether anything follows from its answer, but for a record of it. */
  get isEnforced(): boolean {
    return this.shadow === undefined && this.hook.descriptor.enforce !== false;
  }

  /** Gives what a hook of `shadow()` would have done to its report. */
  reportShadow(what: Parameters<ShadowAnswer["report"]>[2]): void {
    this.shadow?.report(this.hook.descriptor.event, this.pass === "judging", what);
  }

  /** If it does not answer, there is nothing to tell of it but its times. */
  get isPlain(): boolean {
    return this.pass === "first" && !this.isMatchUndecided && this.span === undefined;
  }

  /** The hook is about to be called. */
  start(observers: Observers): void {
    if (!observers.watching) return;
    const { descriptor } = this.hook;
    this.isObserved = true;
    observers.hookEvent("hook:started", descriptor, undefined, undefined, undefined, this.pass === "judging");
    this.span = observers.span(descriptor);
    this.startedAt = preciseNow();
  }

  /** The hook returned a promise. */
  startWaiting(): void {
    this.isWaiting = true;
    this.startedAt ??= tickNow();
  }

  /** The hook has answered, or run out of time. */
  end(): void {
    this.isWaiting = false;
    this.hasAnswered = true;
    if (this.startedAt !== undefined)
      this.durationMs = (this.isObserved ? preciseNow() : tickNow()) - this.startedAt;
  }

  /** Made when it is first read, after the call has ended: most hooks do not answer. */
  get entry(): TraceEntry {
    if (this.#entry === undefined) {
      this.#entry = new TraceEntry(this.hook.descriptor);
      this.#entry.pass = this.pass;
      this.#entry.startedAt = this.startedAt;
      this.#entry.durationMs = this.durationMs;
      if (this.isMatchUndecided) this.#entry.matchUndecided = true;
    }
    return this.#entry;
  }
}
