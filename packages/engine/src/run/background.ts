import { type EventName, proceed, TenterhookError } from "@tenterhook/protocol";
import { BackgroundTask } from "./background-task.ts";
import type { Chain } from "./chain.ts";
import { clearDeadline, setDeadline } from "./deadlines.ts";
import { Scope } from "./scope.ts";
import { snapshot } from "./snapshot.ts";

/**
 * Runs hooks that only watch. They start after the sync ones, in parallel, on a frozen copy of what was decided
 * about; they cannot change, delay or fail the dispatch. Nothing floats: every one is tracked until it ends.
 */
export class Background {
  readonly #tasks = new Set<BackgroundTask>();
  /** The pools of the sets above, which wait for these too. */
  readonly #above: readonly Background[];

  constructor(above: readonly Background[] = []) {
    this.#above = above;
  }

  /** How many have not ended yet. */
  get size(): number {
    return this.#tasks.size;
  }

  /** Starts the background hooks of a finished chain: all that match, or only the `always` ones when it refused. */
  start<E extends EventName>(chain: Chain<E>, scope: Scope): void {
    const outcome = chain.decision?.outcome ?? proceed();
    const refused = outcome.type === "block" || outcome.type === "stop";
    const due = chain.plan.background.filter(({ hook }) => !refused || hook.descriptor.always);
    if (due.length === 0) return;
    const { observers } = chain.runtime;
    const payload = snapshot(chain.payload);
    const metadata = snapshot({ ...scope.metadata });
    for (const planned of due) {
      const { hook } = planned;
      const match = chain.matches(planned);
      if (match === "no") continue;
      if (TenterhookError.isInstance(match)) {
        observers.hookEvent("hook:error", hook.descriptor, undefined, match);
        observers.report(match);
        continue;
      }
      chain.ledger.passed(hook.descriptor, "started");
      const told = hook.descriptor.always ? outcome : undefined;
      this.#track(new BackgroundTask(hook, payload, new Scope(undefined, false, told, metadata), observers));
    }
  }

  /** Waits for all of them, also for those that start meanwhile; resolves to false when the time given ran out first. */
  async drain({ timeoutMs }: { readonly timeoutMs?: number } = {}): Promise<boolean> {
    if (timeoutMs === undefined) {
      while (this.#tasks.size > 0) await this.#allEnded();
      return true;
    }
    let isLate = false;
    let wake: (() => void) | undefined;
    const late = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const expired = () => {
      isLate = true;
      wake?.();
    };
    const deadline = setDeadline(timeoutMs, { expired });
    while (this.#tasks.size > 0 && !isLate) await Promise.race([late, this.#allEnded()]);
    if (!isLate) clearDeadline(deadline);
    return this.#tasks.size === 0;
  }

  /** Ends all of them: they are told through their signal, and no longer waited for. */
  cancel(reason: unknown = "no longer needed"): void {
    for (const task of this.#tasks) task.cancel(reason);
  }

  #allEnded(): Promise<unknown> {
    return Promise.all(Array.from(this.#tasks, (task) => task.ended));
  }

  #track(task: BackgroundTask): void {
    this.#tasks.add(task);
    void task.ended.then(() => this.#tasks.delete(task));
    for (const pool of this.#above) pool.#track(task);
  }
}
