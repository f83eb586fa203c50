import { Notifier } from "@tenterhook/internal";
import type { LeasedRun } from "./leased-run.ts";

/** The runs that this runner has, and how many more it may take. */
export class ActiveRuns {
  /** Notified of every run that is added or removed. */
  readonly changes = new Notifier();
  readonly #concurrency: number;
  readonly #runs = new Set<LeasedRun>();

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  add(run: LeasedRun): void {
    this.#runs.add(run);
    this.changes.notify();
  }

  remove(run: LeasedRun): void {
    this.#runs.delete(run);
    this.changes.notify();
  }

  get isEmpty(): boolean {
    return this.#runs.size === 0;
  }

  /** Runs that execute hooks take no slot, or a runner could wait for itself forever. */
  get hasSlot(): boolean {
    let taken = 0;
    for (const { takesSlot } of this.#runs) if (takesSlot) taken++;
    return taken < this.#concurrency;
  }

  /** The runs whose lease counts. A lost run stays until its work has ended, but its lease is not renewed. */
  get live(): readonly LeasedRun[] {
    return [...this.#runs].filter(({ isLive }) => isLive);
  }

  /** Ids of the runs whose start the coordinator has not confirmed. */
  get unstarted(): readonly string[] {
    return this.live.filter(({ isStarted }) => !isStarted).map(({ proof }) => proof.runId);
  }

  find(runId: string): LeasedRun | undefined {
    return this.live.find(({ proof }) => proof.runId === runId);
  }
}
