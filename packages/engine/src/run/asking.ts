import type { TenterhookError } from "@tenterhook/protocol";
import type { Hook } from "../register/hook.ts";
import type { HookSpan, Observers } from "../trace/observers.ts";
import { TraceEntry } from "../trace/trace.ts";
import { preciseNow, turnNow } from "./clock.ts";

/** What a hook threw, told apart from what it might have answered. */
export class Thrown {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** What a hook handed back: an answer still to be read, a promise of one, or what it threw. */
export type Handed = unknown;

/** The first pass asks every hook; the judging pass asks earlier guards again about a changed value. */
export type Pass = TraceEntry["pass"];

/** A hook that was called while a watched plan ran: its listeners know that it has started. */
export interface Begun {
  readonly startedAt: number;
  readonly span: HookSpan | undefined;
}

/** One hook being asked once, and the trace entry that is written about it. */
export class Asking {
  readonly hook: Hook;
  readonly pass: Pass;
  readonly entry: TraceEntry;
  /** Its promise is waited for. */
  waiting = false;
  /** The answer is taken; what is waited for now is a person or the host. */
  answered = false;
  /** Set for a middleware that called `next`; the hooks behind it have had their turn. */
  nextCalled = false;
  /** The hooks behind a middleware are running; its own time stands still meanwhile. */
  innerRunning = false;
  /** `next` was called twice, which fails the hook even if it swallowed the error. */
  misuse: TenterhookError | undefined;
  /** Follows the hook, where somebody makes spans. */
  readonly span: HookSpan | undefined;
  readonly #precise: boolean;

  /** `begun` is given for a hook that has been called already: with its time only when no listener was there. */
  constructor(hook: Hook, pass: Pass, observers: Observers, begun?: Begun | number) {
    this.hook = hook;
    this.pass = pass;
    this.entry = new TraceEntry(hook.descriptor);
    this.entry.pass = pass;
    if (typeof begun === "object") {
      this.#precise = true;
      this.span = begun.span;
      this.entry.startedAt = begun.startedAt;
      return;
    }
    this.entry.startedAt = begun;
    this.#precise = observers.watching;
    if (!this.#precise) return;
    const judging = pass === "judging";
    observers.hookEvent("hook:started", hook.descriptor, undefined, undefined, undefined, judging);
    this.span = observers.span(hook.descriptor);
    this.entry.startedAt = preciseNow();
  }

  /** The hook must be waited for. */
  waits(): void {
    this.waiting = true;
    this.entry.startedAt ??= turnNow();
  }

  /** The hook has answered, or run out of time. */
  ends(): void {
    this.waiting = false;
    this.answered = true;
    const { startedAt } = this.entry;
    if (startedAt !== undefined)
      this.entry.durationMs = (this.#precise ? preciseNow() : turnNow()) - startedAt;
  }
}
