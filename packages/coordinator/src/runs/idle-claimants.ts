import { randomUUID } from "node:crypto";
import type { Claimant, ClaimedRun } from "./claim-run.ts";
import type { NewRun } from "./create-run.ts";

/** A runner's claim on a run that is about to be created. */
export interface Promised {
  readonly claimant: Claimant;
  readonly leaseToken: string;
  /** Says what became of it: the run, or nothing, and then the runner looks for itself. */
  settle(run: ClaimedRun | undefined): void;
}

interface Idle {
  readonly claimant: Claimant;
  readonly wake: () => void;
  outcome: Promise<ClaimedRun | undefined> | undefined;
}

/**
 * Runners that have looked here, found nothing, and wait. A new run that one of them can carry out is created as that one's: a
 * second statement to claim it would double the time until the runner has it.
 */
export class IdleClaimants {
  readonly #idle = new Set<Idle>();

  /** Enters one who waits. `wake` ends its wait; then `leave` says whether it was promised a run meanwhile. */
  enter(claimant: Claimant, wake: () => void): { leave(): Promise<ClaimedRun | undefined> | undefined } {
    const idle: Idle = { claimant, wake, outcome: undefined };
    this.#idle.add(idle);
    return {
      leave: () => {
        this.#idle.delete(idle);
        return idle.outcome;
      },
    };
  }

  /** Promises a run that is about to be created to the one who has waited longest and can carry it out. */
  promise(run: NewRun): Promised | undefined {
    // A start hook comes before any runner.
    if (run.hooks.on_run_start !== undefined) return undefined;
    for (const idle of this.#idle) {
      const { hasSlot, tags } = idle.claimant;
      if (!hasSlot || !run.tags.every((tag) => tags.includes(tag))) continue;
      this.#idle.delete(idle);
      return promiseTo(idle);
    }
    return undefined;
  }
}

function promiseTo(idle: Idle): Promised {
  let settle: (run: ClaimedRun | undefined) => void = () => {};
  idle.outcome = new Promise((resolve) => {
    settle = resolve;
  });
  idle.wake();
  return { claimant: idle.claimant, leaseToken: randomUUID(), settle };
}
