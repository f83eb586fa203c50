import { Notifier } from "@tenterhook/protocol/support";
import type { HeldRun } from "./held-run.ts";

/** The runs that this runner has, and how many more it may take. */
export class Holdings {
  /** Told of every run that comes or goes. */
  readonly changes = new Notifier();
  readonly #concurrency: number;
  readonly #runs = new Set<HeldRun>();

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  add(run: HeldRun): void {
    this.#runs.add(run);
    this.changes.notify();
  }

  remove(run: HeldRun): void {
    this.#runs.delete(run);
    this.changes.notify();
  }

  get isEmpty(): boolean {
    return this.#runs.size === 0;
  }

  /** Runs that carry out hooks take none, or a runner could wait for itself for ever. */
  get hasSlot(): boolean {
    let taken = 0;
    for (const { takesSlot } of this.#runs) if (takesSlot) taken++;
    return taken < this.#concurrency;
  }

  /** Those whose lease matters. A lost run stays until it no longer works, but nobody asks about it any more. */
  get live(): readonly HeldRun[] {
    return [...this.#runs].filter(({ isLive }) => isLive);
  }

  /** Ids of those that the coordinator does not know to have begun. */
  get unstarted(): readonly string[] {
    return this.live.filter(({ isStarted }) => !isStarted).map(({ hold }) => hold.runId);
  }

  find(runId: string): HeldRun | undefined {
    return this.live.find(({ hold }) => hold.runId === runId);
  }
}
