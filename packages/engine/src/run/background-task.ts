import { readField } from "@tenterhook/internal";
import type { TenterhookError } from "@tenterhook/protocol";
import { asFailure, cancelled, timedOut } from "../answer/failure.ts";
import { preciseNow } from "../clock/clock.ts";
import { clearDeadline, type Deadline, type Expiring, setDeadline } from "../clock/deadlines.ts";
import { newContext } from "../context/hook-context.ts";
import type { HookRunContext } from "../context/hook-run-context.ts";
import type { Hook } from "../register/hook.ts";
import type { HookSpan, Observers } from "../trace/observers.ts";
import { TraceEntry } from "../trace/trace.ts";

/** One background hook, from its launch to its end. It ends once: by itself, by its timeout, or cancelled. */
export class BackgroundTask implements Expiring {
  readonly ended: Promise<void>;
  readonly #hook: Hook;
  readonly #payload: unknown;
  readonly #runContext: HookRunContext;
  readonly #observers: Observers;
  #resolve: (() => void) | undefined;
  #deadline: Deadline | undefined;
  #span: HookSpan | undefined;
  #startedAt = preciseNow();

  constructor(hook: Hook, payload: unknown, runContext: HookRunContext, observers: Observers) {
    this.#hook = hook;
    this.#payload = payload;
    this.#runContext = runContext;
    this.#observers = observers;
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#deadline = setDeadline(hook.descriptor.timeoutMs, this);
    // In a tick of its own, so that a hook that computes for long does not hold up the caller.
    setImmediate(() => this.#run());
  }

  expired(): void {
    this.#deadline = undefined;
    const error = timedOut(this.#hook.descriptor);
    this.#observers.hookEvent("hook:timeout", this.#hook.descriptor, undefined, error);
    this.#end(error);
  }

  cancel(reason: unknown): void {
    this.#end(cancelled(this.#hook.descriptor, reason));
  }

  #run(): void {
    if (this.#resolve === undefined) return;
    const { descriptor } = this.#hook;
    this.#startedAt = preciseNow();
    this.#observers.hookEvent("hook:started", descriptor);
    this.#span = this.#observers.span(descriptor);
    const context = newContext(descriptor.event, this.#payload, this.#runContext) as never;
    const work = async () => this.#hook.handle(context);
    const running = this.#span === undefined ? work() : this.#span.run(work);
    running.then(
      (returned) => this.#end(undefined, returned),
      (error: unknown) => this.#end(asFailure(error, descriptor)),
    );
  }

  #end(error?: TenterhookError, returned?: unknown): void {
    const resolve = this.#resolve;
    if (resolve === undefined) return;
    this.#resolve = undefined;
    if (this.#deadline !== undefined) clearDeadline(this.#deadline);
    const { descriptor } = this.#hook;
    const durationMs = preciseNow() - this.#startedAt;
    const entry = new TraceEntry(descriptor);
    entry.startedAt = this.#startedAt;
    entry.durationMs = durationMs;
    const type = readField(returned, "type");
    // A refusal that comes too late, because the operation has happened. It is recorded.
    if (type === "block" || type === "stop" || type === "ask") {
      const reason = readField(returned, "reason");
      if (descriptor.enforce === false) entry.verdict = `would_${type}`;
      else {
        entry.verdict = type;
        entry.action = "record";
      }
      entry.reason = typeof reason === "string" ? reason : undefined;
    }
    if (error !== undefined) {
      entry.verdict = "failed";
      entry.error = error;
      entry.reason = error.message;
    }
    if (error === undefined) {
      this.#observers.hookEvent("hook:completed", descriptor, durationMs);
    } else {
      this.#runContext.abort(error);
      this.#observers.hookEvent("hook:error", descriptor, durationMs, error);
      this.#observers.report(error);
    }
    this.#span?.end(entry);
    resolve();
  }
}
