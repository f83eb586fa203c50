import { completesWithin, readField } from "@tenterhook/internal";
import {
  type EventName,
  type HookDescriptor,
  type Metadata,
  proceed,
  TenterhookError,
} from "@tenterhook/protocol";
import { asFailure, cancelled, timedOut } from "../answer/failure.ts";
import { snapshot } from "../answer/snapshot.ts";
import { clearDeadline, type Deadline, preciseNow, setDeadline } from "../clock/clock.ts";
import { HookRunContext, newContext } from "../context/hook-context.ts";
import type { Hook } from "../register/hook.ts";
import { type HookSpan, type Observers, TraceEntry } from "../trace/trace.ts";
import type { DispatchState } from "./dispatch-state.ts";

/**
 * Runs hooks that only observe. They start after the sync ones, in parallel, on a frozen copy of what was decided
 * about; they cannot change, delay or fail the dispatch. Each one is tracked until it ends.
 */
export class Background {
  readonly #tasks = new Set<Task>();
  /** Those of the sets that are inherited, which wait for these too. */
  readonly #inherited: readonly Background[];

  constructor(inherited: readonly Background[] = []) {
    this.#inherited = inherited;
  }

  /** How many have not ended yet. */
  get size(): number {
    return this.#tasks.size;
  }

  /** Starts the background hooks of a finished dispatch: all that match, or only the `always` ones when it refused. */
  start<E extends EventName>(dispatch: DispatchState<E>): void {
    const outcome = dispatch.verdict?.outcome ?? proceed();
    const refused = outcome.type === "block" || outcome.type === "stop";
    const due = dispatch.plan.background.filter(({ hook }) => !refused || hook.descriptor.always);
    if (due.length === 0) return;
    const { observers } = dispatch;
    const failed = (hook: HookDescriptor, failure: TenterhookError) => {
      observers.hookEvent("hook:error", hook, undefined, failure);
      observers.report(failure);
    };
    let payload: unknown;
    let metadata: Metadata;
    try {
      payload = snapshot(dispatch.payload);
      metadata = snapshot({ ...dispatch.runContext.metadata });
    } catch (error) {
      // The host dispatched something that cannot be read.
      for (const { hook } of due) failed(hook.descriptor, asFailure(error, hook.descriptor));
      return;
    }
    for (const planned of due) {
      const { hook } = planned;
      const match = dispatch.matches(planned);
      if (match === "no") continue;
      if (TenterhookError.isInstance(match)) {
        failed(hook.descriptor, match);
        continue;
      }
      dispatch.recorder.notCalled(hook.descriptor, "started");
      const given = hook.descriptor.always ? outcome : undefined;
      const runContext = new HookRunContext(undefined, false, given, metadata);
      this.#track(startTask(hook, payload, runContext, observers));
    }
  }

  /** Waits for all of them, also for those that start meanwhile; resolves to false when the time given ran out first. */
  async drain({ timeoutMs }: { readonly timeoutMs?: number } = {}): Promise<boolean> {
    if (timeoutMs !== undefined) return completesWithin(timeoutMs, this.#allEnded());
    await this.#allEnded();
    return true;
  }

  /** Ends all of them: their signals fire, and they are no longer awaited. */
  cancel(reason: unknown = "no longer needed"): void {
    for (const task of this.#tasks) task.cancel(reason);
  }

  async #allEnded(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.all(Array.from(this.#tasks, (task) => task.ended));
  }

  #track(task: Task): void {
    this.#tasks.add(task);
    void task.ended.then(() => this.#tasks.delete(task));
    for (const each of this.#inherited) each.#track(task);
  }
}

/** One background hook, from its launch to its end. */
interface Task {
  readonly ended: Promise<void>;
  cancel(reason: unknown): void;
}

/** Starts a background hook. It ends once: by itself, by its timeout, or cancelled. */
function startTask(hook: Hook, payload: unknown, runContext: HookRunContext, observers: Observers): Task {
  const { descriptor } = hook;
  let startedAt = preciseNow();
  let span: HookSpan | undefined;
  let resolve: (() => void) | undefined;
  const ended = new Promise<void>((done) => {
    resolve = done;
  });
  let deadline: Deadline | undefined = setDeadline(descriptor.timeoutMs, {
    expired() {
      deadline = undefined;
      const error = timedOut(descriptor);
      observers.hookEvent("hook:timeout", descriptor, undefined, error);
      end(error);
    },
  });
  // In a tick of its own, so that a hook that computes for long does not hold up the caller.
  const launch = setImmediate(run);
  return { ended, cancel: (reason) => end(cancelled(descriptor, reason)) };

  function run(): void {
    startedAt = preciseNow();
    observers.hookEvent("hook:started", descriptor);
    // A listener may have cancelled it.
    if (resolve === undefined) return;
    span = observers.span(descriptor);
    const context = newContext(descriptor.event, payload, runContext) as never;
    const work = async () => hook.handle(context);
    const running = span === undefined ? work() : span.run(work);
    running.then(
      (returned) => end(undefined, returned),
      (error: unknown) => end(asFailure(error, descriptor)),
    );
  }

  function end(error?: TenterhookError, returned?: unknown): void {
    const settle = resolve;
    if (settle === undefined) return;
    resolve = undefined;
    clearImmediate(launch);
    if (deadline !== undefined) clearDeadline(deadline);
    const entry = new TraceEntry(descriptor);
    entry.startedAt = startedAt;
    entry.durationMs = preciseNow() - startedAt;
    if (error === undefined) {
      recordLateAnswer(entry, descriptor, returned);
      observers.hookEvent("hook:completed", descriptor, entry.durationMs);
    } else {
      entry.verdict = "failed";
      entry.error = error;
      entry.reason = error.message;
      runContext.abort(error);
      observers.hookEvent("hook:error", descriptor, entry.durationMs, error);
      observers.report(error);
    }
    span?.end(entry);
    settle();
  }
}

/** A refusal that comes too late, because the operation has happened, is recorded. */
function recordLateAnswer(entry: TraceEntry, { enforce }: HookDescriptor, returned: unknown): void {
  const type = readField(returned, "type");
  if (type !== "block" && type !== "stop" && type !== "ask") return;
  const reason = readField(returned, "reason");
  entry.verdict = enforce === false ? `would_${type}` : type;
  if (enforce !== false) entry.action = "record";
  entry.reason = typeof reason === "string" ? reason : undefined;
}
