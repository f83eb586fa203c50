import { Backoff, messageOf, pause } from "@tenterhook/internal";
import type { AssignedRun } from "@tenterhook/protocol/runs";
import type { CoordinatorLink, LeaseProof, Offer } from "../link/coordinator-link.ts";
import { isRefusal, isRefusedWith } from "../link/refusal.ts";
import { untilAnswered } from "../link/until-answered.ts";
import type { Log } from "../log.ts";
import type { ActiveRuns } from "./active-runs.ts";
import type { Registration } from "./registration.ts";

export interface PollerParts {
  readonly link: CoordinatorLink;
  readonly registration: Registration;
  readonly activeRuns: ActiveRuns;
  /** Begins a run that was claimed. */
  readonly take: (run: AssignedRun) => void;
  /** How long the coordinator may delay the response to a poll. */
  readonly waitSeconds: number;
  readonly log: Log;
}

/** The state of one of the loops. */
interface PollLoop {
  readonly backoff: Backoff;
  /** Its latest poll has not been answered. */
  isRetry: boolean;
}

/** A coordinator that is closing answers polls at once; without a pause it would get a thousand of them before it has closed. */
const HASTY_MS = 50;

/**
 * Polls the coordinator for assignments, always. There are two loops: one polls while a slot is free, the other while none is, for stop
 * orders and for runs that execute hooks. A poll is never aborted because a slot has become free meanwhile: its answer may be on the
 * way, and a run in it would be lost until its lease expires.
 */
export class Poller {
  readonly #parts: PollerParts;
  readonly #draining = new AbortController();
  readonly #closing = new AbortController();
  #loops: Promise<unknown> | undefined;
  /** The refusal that was logged last. */
  #refusal: string | undefined;

  constructor(parts: PollerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loops = Promise.all([this.#forWork(), this.#besideWork()]);
  }

  /** Takes no more runs but those that execute hooks: an active run may wait for one. */
  drain(): void {
    this.#draining.abort(new Error("the runner drains"));
  }

  async close(): Promise<void> {
    this.drain();
    this.#closing.abort(new Error("the runner ends"));
    await this.#loops;
  }

  async #forWork(): Promise<void> {
    const { activeRuns } = this.#parts;
    const { signal } = this.#draining;
    for (const loop: PollLoop = { backoff: new Backoff(), isRetry: false }; !signal.aborted; ) {
      if (activeRuns.hasSlot) await this.#poll(true, signal, loop);
      else await activeRuns.changes.next(signal);
    }
  }

  async #besideWork(): Promise<void> {
    const { activeRuns } = this.#parts;
    const { signal } = this.#closing;
    for (const loop: PollLoop = { backoff: new Backoff(), isRetry: false }; !signal.aborted; ) {
      const draining = this.#draining.signal;
      if (draining.aborted && activeRuns.isEmpty) return;
      if (draining.aborted || !activeRuns.hasSlot) await this.#poll(false, signal, loop);
      else await activeRuns.changes.next(draining);
    }
  }

  async #poll(hasSlot: boolean, signal: AbortSignal, loop: PollLoop): Promise<void> {
    const { link, registration, activeRuns, waitSeconds } = this.#parts;
    const { backoff, isRetry } = loop;
    try {
      const { runnerId } = registration.current ?? (await registration.renew(signal));
      const askedAt = performance.now();
      const { unstarted } = activeRuns;
      loop.isRetry = true;
      const offer = await link.nextOffer(runnerId, { waitSeconds, hasSlot, unstarted, isRetry }, signal);
      loop.isRetry = false;
      this.#refusal = undefined;
      const isHasty = offer === undefined && performance.now() - askedAt < HASTY_MS;
      if (isHasty) await pause(backoff.nextMs(), signal);
      else backoff.reset();
      if (offer !== undefined) this.#handle(offer);
    } catch (error) {
      if (signal.aborted) return;
      if (isRefusal(error)) {
        // A coordinator with a new store does not know the runner; every other cause has to be fixed by a person.
        if (isRefusedWith(error, "unknown_runner")) await registration.renew(signal).catch(() => undefined);
        else this.#logRefusal(error.message);
      }
      await pause(backoff.nextMs(), signal);
    }
  }

  /** Logs a refusal once: it is the same at every attempt until its cause is fixed. */
  #logRefusal(problem: string): void {
    if (problem !== this.#refusal) this.#parts.log(`the coordinator gives no runs: ${problem}`);
    this.#refusal = problem;
  }

  #handle(offer: Offer): void {
    const { activeRuns, take, log } = this.#parts;
    switch (offer.type) {
      case "run":
        take(offer.run);
        break;
      case "stop": {
        const active = activeRuns.find(offer.run_id);
        const proof = { runId: offer.run_id, leaseToken: offer.lease_token };
        if (active?.proof.leaseToken === offer.lease_token) active.stop("stopped by request");
        else this.#giveBack(proof, "stopped", { reason: "stopped by request" });
        break;
      }
      case "unreadable":
        log(`cannot read the run ${offer.proof.runId}: ${offer.problem}`);
        this.#giveBack(offer.proof, "failed", {
          error: `the runner cannot read the run: ${offer.problem}`,
          error_code: "unreadable_run",
        });
        break;
    }
  }

  /** A run that the runner has a lease on, but does not have, would otherwise wait until the lease expires. */
  #giveBack(proof: LeaseProof, kind: "stopped" | "failed", facts: object): void {
    const { link, log } = this.#parts;
    const reported = untilAnswered((signal) => link.report(proof, kind, facts, signal), this.#closing.signal);
    reported.catch((error: unknown) => log(`${proof.runId} was not reported: ${messageOf(error)}`));
  }
}
