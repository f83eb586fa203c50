import { randomUUID } from "node:crypto";
import type { Claimant, ClaimedRun } from "./claim-run.ts";
import type { NewRun, Reservation } from "./create-run.ts";

/** A reservation that a polling runner waits for. */
export interface PendingReservation extends Reservation {
  /** Ends the runner's wait: with the run, or without one, and then the runner claims as usual. */
  settle(run: ClaimedRun | undefined): void;
}

interface Poller {
  readonly claimant: Claimant;
  readonly wake: () => void;
  outcome: Promise<ClaimedRun | undefined> | undefined;
}

/**
 * Runners that polled this coordinator, found no run, and wait. A new run that one of them can execute is created as claimed by
 * it: a second statement to claim it would double the time until the runner has it.
 */
export class WaitingPollers {
  readonly #pollers = new Set<Poller>();

  /** Adds a runner that waits. `wake` ends its wait; then `leave` returns the run that was reserved for it, if any. */
  enter(claimant: Claimant, wake: () => void): { leave(): Promise<ClaimedRun | undefined> | undefined } {
    const poller: Poller = { claimant, wake, outcome: undefined };
    this.#pollers.add(poller);
    return {
      leave: () => {
        this.#pollers.delete(poller);
        return poller.outcome;
      },
    };
  }

  /** Reserves a run that is about to be created for the runner that has waited longest and can execute it. */
  reserve(run: NewRun): PendingReservation | undefined {
    // A start hook comes before any runner.
    if (run.hooks.on_run_start !== undefined) return undefined;
    for (const poller of this.#pollers) {
      const { hasSlot, tags } = poller.claimant;
      if (!hasSlot || !run.tags.every((tag) => tags.includes(tag))) continue;
      this.#pollers.delete(poller);
      return reserveFor(poller);
    }
    return undefined;
  }
}

function reserveFor(poller: Poller): PendingReservation {
  let settle: (run: ClaimedRun | undefined) => void = () => {};
  poller.outcome = new Promise((resolve) => {
    settle = resolve;
  });
  poller.wake();
  return { claimant: poller.claimant, leaseToken: randomUUID(), settle };
}
