import { AsyncResource } from "node:async_hooks";
import { onAbort } from "@tenterhook/internal";
import { tickNow } from "../clock/clock.ts";
import { clearDeadline, type Deadline, type Expiring, setDeadline } from "../clock/deadlines.ts";
import type { RunOptions } from "../context/dispatch-options.ts";
import { Rejection } from "./hook-call.ts";

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
