import { AsyncResource } from "node:async_hooks";
import { onAbort } from "@tenterhook/internal";
import type { Expiring } from "../clock/deadlines.ts";
import { HookDeadline } from "../clock/hook-deadline.ts";
import type { RunOptions } from "../context/dispatch-options.ts";
import { type RawResult, Rejection } from "./hook-call.ts";

/** The hooks that are waited for. Each method returns the next promise to wait for; `undefined` when the last hook has ended. */
export interface AwaitedHooks {
  /** True while the promise is that of a hook, and not of what its answer started. */
  readonly isHookRunning: boolean;
  /** The promise has settled. */
  resume(result: RawResult): PromiseLike<unknown> | undefined;
  /** The hook's time is up. */
  expire(): PromiseLike<unknown> | undefined;
  /** The host cancelled: there is no next promise. */
  cancel(reason: unknown): void;
}

/**
 * Waits for hooks in one async function. When a hook's time is up, that function is abandoned where it waits and another one
 * continues: this way waiting for a hook costs one `await`, and no race.
 */
export class SequenceWait implements Expiring {
  readonly #hooks: AwaitedHooks;
  readonly #deadline = new HookDeadline();
  /** Counts up when a waiting function is abandoned, so that it notices when it resumes. */
  #epoch = 0;
  /** Called when the last hook has ended. */
  #done: (() => unknown) | undefined;
  #resolve: ((value: never) => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;
  #signal: RunOptions["signal"];
  #removeAbortListener: (() => void) | undefined;
  /** False while hooks are called: if one of them aborts, that is noticed when it has returned. */
  #isAwaiting = false;
  /** That of this dispatch: the shared timer runs in the one of another, and hooks that come after a timeout must not. */
  #asyncContext: AsyncResource | undefined;

  constructor(hooks: AwaitedHooks) {
    this.#hooks = hooks;
  }

  /** Waits until the last hook has ended; the promise is for what `done` returns. */
  start<T>(
    first: PromiseLike<unknown>,
    signal: RunOptions["signal"],
    done: () => T | Promise<T>,
  ): Promise<T> {
    this.#done = done;
    this.#signal = signal;
    this.#asyncContext = new AsyncResource("TENTERHOOK_DISPATCH");
    return new Promise<T>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      if (signal?.aborted === false) {
        this.#removeAbortListener = onAbort(signal, () => {
          if (this.#isAwaiting) this.#cancel(signal.reason);
        });
      }
      void this.#drive(() => first);
    });
  }

  /** Sets the deadline of the hook that is waited for from now on. */
  setDeadline(timeoutMs: number): void {
    this.#deadline.set(timeoutMs, this);
  }

  clearDeadline(): void {
    this.#deadline.clear();
  }

  expired(): void {
    this.#deadline.expired();
    this.#asyncContext?.runInAsyncScope(queueMicrotask, undefined, () => this.#abandon());
  }

  /** Abandons a hook whose time is up, and continues with the next. */
  #abandon(): void {
    if (!this.#hooks.isHookRunning || this.#deadline.isSet) return;
    this.#epoch++;
    void this.#drive(() => this.#hooks.expire());
  }

  #cancel(reason: unknown): void {
    this.#epoch++;
    this.#hooks.cancel(reason);
    this.#settle();
  }

  async #drive(start: () => PromiseLike<unknown> | undefined): Promise<void> {
    const epoch = this.#epoch;
    try {
      this.#isAwaiting = false;
      let waiting = start();
      while (waiting !== undefined) {
        // The promise is awaited all the same, so that its rejection is handled.
        if (this.#signal?.aborted) this.#cancel(this.#signal.reason);
        let result: RawResult;
        this.#isAwaiting = true;
        try {
          result = await waiting;
        } catch (error) {
          result = new Rejection(error);
        }
        if (epoch !== this.#epoch) return;
        this.#isAwaiting = false;
        waiting = this.#hooks.resume(result);
      }
      this.#settle();
    } catch (error) {
      // A defect of the engine, not of a hook. The host gets it: a dispatch that never settles would stop the agent without a word.
      this.#deadline.clear();
      this.#removeAbortListener?.();
      this.#reject?.(error);
    }
  }

  #settle(): void {
    this.#deadline.clear();
    this.#removeAbortListener?.();
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.(this.#done?.() as never);
  }
}
