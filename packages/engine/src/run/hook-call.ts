import type { TenterhookError } from "@tenterhook/protocol";
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

/** A hook that was called while a watched plan ran: its listeners know that it has started. */
export interface StartedCall {
  readonly startedAt: number;
  readonly span: HookSpan | undefined;
}

/** How far a hook is that was called before the dispatch needed bookkeeping. */
export type EarlierCall =
  /** It has just returned or thrown. */
  | { readonly type: "returned"; readonly result: RawResult }
  /** The same, and listeners know that it has started. */
  | { readonly type: "observed"; readonly started: StartedCall; readonly result: RawResult }
  /** The promise that it returned has settled. */
  | { readonly type: "settled"; readonly calledAt: number; readonly result: RawResult }
  /** Its time is up. */
  | { readonly type: "expired"; readonly calledAt: number };

/** Where a watched run was when a hook answered. */
export interface WatchedStop {
  readonly index: number;
  /** When the hooks before it started and ended. */
  readonly times: Times;
  readonly call: EarlierCall;
}

/** One call of one hook, and the trace entry that is written about it. */
export class HookCall {
  readonly hook: Hook;
  readonly pass: Pass;
  readonly entry: TraceEntry;
  /** Its promise is awaited. */
  isWaiting = false;
  /** The answer was read; what is awaited now is an approver or the host. */
  hasAnswered = false;
  /** Set for a middleware that called `next`; the hooks behind it have been called. */
  hasCalledNext = false;
  /** The hooks behind a middleware are running; its own deadline is suspended meanwhile. */
  isInnerRunning = false;
  /** `next` was called twice, which fails the hook even if it swallowed the error. */
  misuse: TenterhookError | undefined;
  /** Present where an instrument makes spans. */
  readonly span: HookSpan | undefined;
  readonly #isPrecise: boolean;

  /** `started` is given for a hook that has been called already: only its time when there was no listener. */
  constructor(hook: Hook, pass: Pass, observers: Observers, started?: StartedCall | number) {
    this.hook = hook;
    this.pass = pass;
    this.entry = new TraceEntry(hook.descriptor);
    this.entry.pass = pass;
    if (typeof started === "object") {
      this.#isPrecise = true;
      this.span = started.span;
      this.entry.startedAt = started.startedAt;
      return;
    }
    this.entry.startedAt = started;
    this.#isPrecise = observers.watching;
    if (!this.#isPrecise) return;
    const judging = pass === "judging";
    observers.hookEvent("hook:started", hook.descriptor, undefined, undefined, undefined, judging);
    this.span = observers.span(hook.descriptor);
    this.entry.startedAt = preciseNow();
  }

  /** The hook returned a promise. */
  startWaiting(): void {
    this.isWaiting = true;
    this.entry.startedAt ??= tickNow();
  }

  /** The hook has answered, or run out of time. */
  end(): void {
    this.isWaiting = false;
    this.hasAnswered = true;
    const { startedAt } = this.entry;
    if (startedAt !== undefined)
      this.entry.durationMs = (this.#isPrecise ? preciseNow() : tickNow()) - startedAt;
  }
}
