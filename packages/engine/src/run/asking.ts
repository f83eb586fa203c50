import type { TenterhookError } from "@tenterhook/protocol";
import type { Hook } from "../register/hook.ts";
import type { HookSpan, Observers } from "../trace/observers.ts";
import type { TraceEntry } from "../trace/trace.ts";
import { preciseNow, turnNow } from "./clock.ts";

/** What a hook handed back: an answer still to be read, or what it threw. */
export type Handed = { readonly answer: unknown } | { readonly thrown: unknown };

/** What is known about an asking beside the answer. */
export type Facts = Pick<TraceEntry, "startedAt" | "durationMs" | "matchUndecided">;

/** One hook being asked once. */
export class Asking {
  readonly hook: Hook;
  /** The answer is taken; what is waited for now is a person or the host. */
  answered = false;
  /** Set for a middleware that called `next`; the hooks behind it have had their turn. */
  nextCalled = false;
  /** The hooks behind a middleware are running; its own time stands still meanwhile. */
  innerRunning = false;
  /** `next` was called twice, which fails the hook even if it swallowed the error. */
  misuse: TenterhookError | undefined;
  readonly #undecided: boolean;
  readonly #precise: boolean;
  #startedAt: number | undefined;
  #span: HookSpan | undefined;

  constructor(hook: Hook, undecided: boolean, observers: Observers) {
    this.hook = hook;
    this.#undecided = undecided;
    this.#precise = observers.watching;
    if (!this.#precise) return;
    observers.hookEvent("hook:started", hook.descriptor);
    this.#span = observers.span(hook.descriptor);
    this.#startedAt = preciseNow();
  }

  /** Calls the hook, inside its span where there is one. The work must not throw. */
  run(work: () => Handed): Handed {
    return this.#span === undefined ? work() : this.#span.run(work);
  }

  /** The hook must be waited for. */
  waits(): void {
    this.#startedAt ??= turnNow();
  }

  facts(): Facts {
    const startedAt = this.#startedAt;
    return {
      ...(startedAt !== undefined && {
        startedAt,
        durationMs: (this.#precise ? preciseNow() : turnNow()) - startedAt,
      }),
      ...(this.#undecided && { matchUndecided: true }),
    };
  }

  end(entry: TraceEntry | undefined): void {
    if (entry !== undefined) this.#span?.end(entry);
  }
}
