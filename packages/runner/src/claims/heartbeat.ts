import { Backoff } from "@tenterhook/internal";
import type { CoordinatorLink } from "../link/coordinator-link.ts";
import { isOutage, isRefusedWith } from "../link/refusal.ts";
import type { Log } from "../log.ts";
import type { ActiveRuns } from "./active-runs.ts";
import type { LeasedRun } from "./leased-run.ts";
import type { Registered, Registration } from "./registration.ts";

/** The most runs of one heartbeat. */
const MAX_RUNS = 1_000;

/**
 * A new claim is confirmed within this time, unless the run has ended: its answer may have been delayed, and it is unknown how much
 * of the lease is left.
 */
const CONFIRM_MS = 1_000;

/** Reports to the coordinator that the runner is alive and which runs it has, and acts on the answers. */
export class Heartbeat {
  readonly #link: CoordinatorLink;
  readonly #registration: Registration;
  readonly #activeRuns: ActiveRuns;
  readonly #log: Log;
  readonly #confirmed = new WeakSet<LeasedRun>();
  #wasDraining = false;

  constructor(link: CoordinatorLink, registration: Registration, activeRuns: ActiveRuns, log: Log) {
    this.#link = link;
    this.#registration = registration;
    this.#activeRuns = activeRuns;
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
        if (isRefusedWith(error, "unknown_runner")) {
          await this.#registration.renew(signal).catch(() => undefined);
        }
        dueAt = performance.now() + Math.min(backoff.nextMs(), registered?.heartbeatMs ?? 0);
      }
    }
  }

  /** Sleeps until the next heartbeat is due, which is soon after a run was claimed. */
  async #untilDue(dueAt: number, signal: AbortSignal): Promise<void> {
    for (let newSince: number | undefined; !signal.aborted; ) {
      const now = performance.now();
      const hasNew = this.#activeRuns.live.some((run) => !this.#confirmed.has(run));
      newSince = hasNew ? (newSince ?? now) : undefined;
      const until = newSince === undefined ? dueAt : Math.min(dueAt, newSince + CONFIRM_MS);
      if (until <= now) return;
      await this.#activeRuns.changes.next(signal, until - now);
    }
  }

  async #once({ runnerId, leaseMs }: Registered, signal: AbortSignal): Promise<void> {
    const runs = this.#activeRuns.live;
    for (let start = 0; start === 0 || start < runs.length; start += MAX_RUNS) {
      const some = runs.slice(start, start + MAX_RUNS);
      const askedAt = performance.now();
      const proofs = some.map(({ proof }) => proof);
      const answer = await this.#link
        .heartbeat(runnerId, proofs, leaseMs / 4, signal)
        .catch((error: unknown) => {
          if (isOutage(error)) for (const run of runs) run.renewed(askedAt);
          throw error;
        });
      const lost = new Set(answer.lost);
      const stop = new Set(answer.stop);
      for (const run of some) {
        this.#confirmed.add(run);
        const { runId } = run.proof;
        if (lost.has(runId)) run.denied("the coordinator reports that it has ended or is another runner's");
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
      isDraining ? "draining by order of the coordinator: no new runs" : "no longer draining: new runs",
    );
  }
}
