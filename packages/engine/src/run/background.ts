import { completesWithin } from "@tenterhook/internal";
import {
  type EventName,
  type HookDescriptor,
  type Metadata,
  proceed,
  TenterhookError,
} from "@tenterhook/protocol";
import { asFailure } from "../answer/failure.ts";
import { snapshot } from "../answer/snapshot.ts";
import { HookRunContext } from "../context/hook-run-context.ts";
import { BackgroundTask } from "./background-task.ts";
import type { DispatchState } from "./dispatch-state.ts";

/**
 * Runs hooks that only observe. They start after the sync ones, in parallel, on a frozen copy of what was decided
 * about; they cannot change, delay or fail the dispatch. Each one is tracked until it ends.
 */
export class Background {
  readonly #tasks = new Set<BackgroundTask>();
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
      this.#track(
        new BackgroundTask(hook, payload, new HookRunContext(undefined, false, given, metadata), observers),
      );
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

  #track(task: BackgroundTask): void {
    this.#tasks.add(task);
    void task.ended.then(() => this.#tasks.delete(task));
    for (const each of this.#inherited) each.#track(task);
  }
}
