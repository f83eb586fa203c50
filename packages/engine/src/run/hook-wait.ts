import { AsyncResource } from "node:async_hooks";
import { onAbort } from "@tenterhook/internal";
import { tickNow } from "../clock/clock.ts";
import { clearDeadline, type Deadline, type Expiring, setDeadline } from "../clock/deadlines.ts";
import type { RunOptions } from "../context/dispatch-options.ts";
import { Rejection } from "./hook-call.ts";

/** A loop that yields each promise that it must wait for, and is resumed with its value, or the `Rejection`. */
export type Steps<R = void> = Generator<PromiseLike<unknown>, R, unknown>;

/** A loop is resumed with it when the time of the hook that it waits for is up. */
export const EXPIRED = Symbol("expired");
/** Thrown into a loop where it waits when the host has cancelled. */
export const CANCELLED = Symbol("cancelled");

/**
 * Waits for what a loop yields. When a hook's time is up, the loop is resumed without its promise, whose value is then ignored: so
 * waiting for a hook costs one `await`, and no race.
 */
export class HookWait implements Expiring {
  readonly #signal: RunOptions["signal"];
  /** That of the loop which waits for this one: it cancels this one before itself. */
  readonly #outer: HookWait | undefined;
  #inner: HookWait | undefined = undefined;
  #steps: Steps | undefined = undefined;
  #resolve: (() => void) | undefined = undefined;
  #reject: ((error: unknown) => void) | undefined = undefined;
  #removeAbortListener: (() => void) | undefined = undefined;
  /** Counts up when the loop is resumed: who waits for a promise of before notices. */
  #turn = 0;
  /** The loop itself runs: a hook that aborts is noticed when it has returned. */
  #isRunning = false;
  #deadline: Deadline | undefined = undefined;
  #isExpiring = false;
  /** That of this dispatch: the shared timer runs in the one of another, and hooks that come after a timeout must not. */
  #asyncContext: AsyncResource | undefined = undefined;

  constructor(signal: RunOptions["signal"], outer: HookWait | undefined) {
    this.#signal = signal;
    this.#outer = outer;
  }

  /** Runs a loop that waits for its first promise to its end. The promise is rejected only for what the loop throws: a defect. */
  run(steps: Steps, first: PromiseLike<unknown>): Promise<void> {
    this.#steps = steps;
    this.#asyncContext = new AsyncResource("TENTERHOOK_DISPATCH");
    if (this.#outer !== undefined) this.#outer.#inner = this;
    else if (this.#signal?.aborted === false)
      this.#removeAbortListener = onAbort(this.#signal, () => this.#cancel());
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      void this.#drive(() => first);
    });
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

  /** Resumes the loop with one promise after the other. It ends before the loop does if the loop has been resumed without its promise. */
  async #drive(start: () => PromiseLike<unknown> | undefined): Promise<void> {
    try {
      let waiting = start();
      while (waiting !== undefined) {
        const turn = this.#turn;
        // The promise is awaited all the same, so that its rejection is handled.
        if (this.#signal?.aborted) this.#cancel();
        let result: unknown;
        try {
          result = await waiting;
        } catch (error) {
          result = new Rejection(error);
        }
        if (turn !== this.#turn) return;
        waiting = this.#resume(result);
      }
      this.#end();
      this.#resolve?.();
    } catch (error) {
      this.#end();
      this.#reject?.(error);
    }
  }

  /** Returns the next promise to wait for; `undefined` at the end. */
  #resume(result: unknown): PromiseLike<unknown> | undefined {
    this.#turn++;
    this.#isExpiring = false;
    this.#isRunning = true;
    const step = this.#steps?.next(result);
    this.#isRunning = false;
    return step?.done === false ? step.value : undefined;
  }

  #cancel(): void {
    if (this.#inner !== undefined) this.#inner.#cancel();
    if (this.#isRunning) return;
    this.#turn++;
    this.#end();
    try {
      this.#steps?.throw(CANCELLED);
      this.#resolve?.();
    } catch (error) {
      this.#reject?.(error);
    }
  }

  #end(): void {
    this.clearDeadline();
    this.#removeAbortListener?.();
    if (this.#outer !== undefined) this.#outer.#inner = undefined;
  }
}
