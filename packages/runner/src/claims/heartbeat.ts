import { Backoff } from "@tenterhook/protocol/support";
import type { CoordinatorLink } from "../link/coordinator-link.ts";
import { Refusal } from "../link/refusal.ts";
import type { Log } from "../log.ts";
import type { HeldRun } from "./held-run.ts";
import type { Holdings } from "./holdings.ts";
import type { Registered, Registration } from "./registration.ts";

/** The most runs of one heartbeat. */
const MOST_RUNS = 1_000;

/**
 * A new claim is confirmed within this time, unless the run is over by then: the answer that brought it may have been on
 * its way for long, and nobody here knows how much of the lease is left.
 */
const CONFIRM_MS = 1_000;

/** Tells the coordinator that the runner lives and which runs it has, and does what the answers say. */
export class Heartbeat {
  readonly #link: CoordinatorLink;
  readonly #registration: Registration;
  readonly #holdings: Holdings;
  readonly #log: Log;
  readonly #confirmed = new WeakSet<HeldRun>();
  #wasDraining = false;

  constructor(link: CoordinatorLink, registration: Registration, holdings: Holdings, log: Log) {
    this.#link = link;
    this.#registration = registration;
    this.#holdings = holdings;
    this.#log = log;
  }

  /** Beats until the signal. It never rejects. */
  async beat(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff({ mostMs: 2_000 });
    let dueAt = performance.now();
    while (!signal.aborted) {
      await this.#untilDue(dueAt, signal);
      if (signal.aborted) return;
      const registered = this.#registration.current;
      try {
        if (registered === undefined) throw new Error("not registered");
        await this.#once(registered, signal);
        backoff.reset();
        dueAt = performance.now() + registered.heartbeatMs;
      } catch (error) {
        if (error instanceof Refusal && error.code === "unknown_runner") {
          await this.#registration.renew(signal).catch(() => undefined);
        }
        dueAt = performance.now() + Math.min(backoff.nextMs(), registered?.heartbeatMs ?? 0);
      }
    }
  }

  /** Sleeps until the next beat is due, which is soon when a run has come and stays. */
  async #untilDue(dueAt: number, signal: AbortSignal): Promise<void> {
    for (let newSince: number | undefined; !signal.aborted; ) {
      const now = performance.now();
      const hasNew = this.#holdings.live.some((run) => !this.#confirmed.has(run));
      newSince = hasNew ? (newSince ?? now) : undefined;
      const until = newSince === undefined ? dueAt : Math.min(dueAt, newSince + CONFIRM_MS);
      if (until <= now) return;
      await this.#holdings.changes.next(signal, until - now);
    }
  }

  async #once({ runnerId, leaseMs }: Registered, signal: AbortSignal): Promise<void> {
    const runs = this.#holdings.live;
    for (let start = 0; start === 0 || start < runs.length; start += MOST_RUNS) {
      const some = runs.slice(start, start + MOST_RUNS);
      const askedAt = performance.now();
      const holds = some.map(({ hold }) => hold);
      const answer = await this.#link.heartbeat(runnerId, holds, leaseMs / 4, signal);
      const lost = new Set(answer.lost);
      const stop = new Set(answer.stop);
      for (const run of some) {
        this.#confirmed.add(run);
        const { runId } = run.hold;
        if (lost.has(runId)) run.denied("the coordinator says that it is over, or somebody else's");
        else run.renewed(askedAt);
        if (stop.has(runId)) run.stop("stopped by request");
      }
      this.#noteDraining(answer.is_draining);
    }
  }

  #noteDraining(isDraining: boolean): void {
    if (isDraining === this.#wasDraining) return;
    this.#wasDraining = isDraining;
    this.#log(
      isDraining ? "drained by the coordinator: no new runs come" : "no longer drained: runs come again",
    );
  }
}
