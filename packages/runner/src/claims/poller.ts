import { messageOf } from "@tenterhook/protocol";
import type { AssignedRun } from "@tenterhook/protocol/runs";
import { Backoff, pause } from "@tenterhook/protocol/support";
import type { CoordinatorLink, Hold, Offer } from "../link/coordinator-link.ts";
import { Refusal } from "../link/refusal.ts";
import { untilAnswered } from "../link/until-answered.ts";
import type { Log } from "../log.ts";
import type { Holdings } from "./holdings.ts";
import type { Registration } from "./registration.ts";

export interface PollerParts {
  readonly link: CoordinatorLink;
  readonly registration: Registration;
  readonly holdings: Holdings;
  /** Begins a run that was claimed. */
  readonly take: (run: AssignedRun) => void;
  /** How long the coordinator may hold a poll. */
  readonly waitSeconds: number;
  readonly log: Log;
}

/** How one of the loops is getting on. */
interface Course {
  readonly backoff: Backoff;
  /** Its latest poll has not been answered. */
  isAgain: boolean;
}

/** A coordinator that is closing sends everybody away at once, and would be asked a thousand times before it has closed. */
const HASTY_MS = 50;

/**
 * Asks the coordinator for something to do, always. There are two loops: one asks while a slot is free, the other while
 * none is, for stop orders and for runs that carry out hooks. A poll is never given up because a slot has become free
 * meanwhile: its answer may be on the way, and a run in it would wait for nobody until its lease ends.
 */
export class Poller {
  readonly #parts: PollerParts;
  readonly #draining = new AbortController();
  readonly #closing = new AbortController();
  #loops: Promise<unknown> | undefined;
  /** The latest that a person was told about polls that are refused. */
  #complaint: string | undefined;

  constructor(parts: PollerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loops = Promise.all([this.#forWork(), this.#besideWork()]);
  }

  /** Takes no more runs but those that carry out hooks: what is still under way may be waiting for one. */
  drain(): void {
    this.#draining.abort(new Error("the runner drains"));
  }

  async close(): Promise<void> {
    this.drain();
    this.#closing.abort(new Error("the runner ends"));
    await this.#loops;
  }

  async #forWork(): Promise<void> {
    const { holdings } = this.#parts;
    const { signal } = this.#draining;
    for (const course: Course = { backoff: new Backoff(), isAgain: false }; !signal.aborted; ) {
      if (holdings.hasSlot) await this.#poll(true, signal, course);
      else await holdings.changes.next(signal);
    }
  }

  async #besideWork(): Promise<void> {
    const { holdings } = this.#parts;
    const { signal } = this.#closing;
    for (const course: Course = { backoff: new Backoff(), isAgain: false }; !signal.aborted; ) {
      const draining = this.#draining.signal;
      if (draining.aborted && holdings.isEmpty) return;
      if (draining.aborted || !holdings.hasSlot) await this.#poll(false, signal, course);
      else await holdings.changes.next(draining);
    }
  }

  async #poll(hasSlot: boolean, signal: AbortSignal, course: Course): Promise<void> {
    const { link, registration, holdings, waitSeconds } = this.#parts;
    const { backoff, isAgain } = course;
    try {
      const { runnerId } = registration.current ?? (await registration.renew(signal));
      const askedAt = performance.now();
      const { unstarted } = holdings;
      course.isAgain = true;
      const offer = await link.nextOffer(runnerId, { waitSeconds, hasSlot, unstarted, isAgain }, signal);
      course.isAgain = false;
      this.#complaint = undefined;
      const isHasty = offer === undefined && performance.now() - askedAt < HASTY_MS;
      if (isHasty) await pause(backoff.nextMs(), signal);
      else backoff.reset();
      if (offer !== undefined) this.#heed(offer);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refusal) {
        // A coordinator that was set up anew does not know us; all else is for a person to mend.
        if (error.code === "unknown_runner") await registration.renew(signal).catch(() => undefined);
        else this.#complain(error.message);
      }
      await pause(backoff.nextMs(), signal);
    }
  }

  /** Once: it is the same at every try, until somebody has mended it. */
  #complain(problem: string): void {
    if (problem !== this.#complaint) this.#parts.log(`the coordinator gives no runs: ${problem}`);
    this.#complaint = problem;
  }

  #heed(offer: Offer): void {
    const { holdings, take, log } = this.#parts;
    switch (offer.type) {
      case "run":
        take(offer.run);
        break;
      case "stop": {
        const held = holdings.find(offer.run_id);
        const hold = { runId: offer.run_id, leaseToken: offer.lease_token };
        if (held?.hold.leaseToken === offer.lease_token) held.stop("stopped by request");
        else this.#turnDown(hold, "stopped", { reason: "stopped by request" });
        break;
      }
      case "unreadable":
        log(`cannot read the run ${offer.hold.runId}: ${offer.problem}`);
        this.#turnDown(offer.hold, "failed", {
          error: `the runner cannot read the run: ${offer.problem}`,
          error_code: "unreadable_run",
        });
        break;
    }
  }

  /** A run that is ours by the coordinator's book, but not here, would otherwise wait until its lease ends. */
  #turnDown(hold: Hold, kind: "stopped" | "failed", facts: object): void {
    const { link, log } = this.#parts;
    const said = untilAnswered((signal) => link.report(hold, kind, facts, signal), this.#closing.signal);
    said.catch((error: unknown) => log(`${hold.runId} was not reported: ${messageOf(error)}`));
  }
}
