import { linkedController, messageOf } from "@tenterhook/internal";
import { isOwnDelay, isRowFault } from "../database/sql-error.ts";
import type { HookReply, HookRetry } from "../domain/hook-decision.ts";
import type { Limits } from "../domain/limits.ts";
import type { Postponement, RunLifecycle } from "../lifecycle/index.ts";
import type { RepeatedFailures } from "../repeated-failures.ts";
import type { HookRow } from "../store/rows.ts";
import type { Wakeups } from "../wakeups.ts";
import type { CallSlots } from "./call-slots.ts";

/** Calls the URL of an http hook, until the signal aborts. */
export type HttpHookCaller = (hook: HookRow, signal: AbortSignal) => Promise<HookReply>;

/** Calls the URL of an http hook once, in the time that is left for it, until the signal aborts. */
export type HttpHookAttempt = (
  hook: HookRow,
  signal: AbortSignal,
  leftMs: number,
) => Promise<HookReply | HookRetry>;

export interface HookWorkerParts {
  readonly attempt: HttpHookAttempt;
  readonly slots: CallSlots;
  /** Counts and reports the hooks that were set aside. */
  readonly failures: RepeatedFailures;
  readonly report: (error: unknown) => void;
}

/** The longest pause with a timer of its own. */
const MAX_TIMED_PAUSE_MS = 60_000;
/** For when a wake-up was lost. */
const POLL_MS = 1_000;
/** How often a hook that throws each time is started before it has failed. */
const MAX_BEGINNINGS = 3;
const AGAIN_MS = 1_000;

/** Executes hooks that are due: agent hooks become runs, http hooks are called. Any number of coordinators may do so. */
export class HookWorker {
  readonly #lifecycle: RunLifecycle;
  readonly #wakeups: Wakeups;
  readonly #limits: Limits;
  readonly #parts: HookWorkerParts;
  readonly #calls = new Set<Promise<void>>();
  readonly #pauses = new Set<NodeJS.Timeout>();

  constructor(lifecycle: RunLifecycle, wakeups: Wakeups, limits: Limits, parts: HookWorkerParts) {
    this.#lifecycle = lifecycle;
    this.#wakeups = wakeups;
    this.#limits = limits;
    this.#parts = parts;
  }

  /** Claims due hooks and begins them; waits when there are none. */
  async round(signal: AbortSignal): Promise<void> {
    const seen = this.#wakeups.count("hooks");
    const hooks = await this.#lifecycle.claimHooks(this.#parts.slots.room());
    for (const hook of hooks) {
      // A hook that cannot be begun must not delay the others.
      await this.#begin(hook, signal).catch((error: unknown) => this.#notBegun(hook, error));
    }
    if (hooks.length === 0) await this.#wakeups.wait("hooks", POLL_MS, signal, seen);
  }

  /** Waits for the active calls; they end soon after the loop was stopped. */
  async close(): Promise<void> {
    for (const timer of this.#pauses) clearTimeout(timer);
    await Promise.all(this.#calls);
  }

  async #begin(hook: HookRow, signal: AbortSignal): Promise<void> {
    const begun = await this.#lifecycle.beginHook(hook);
    if (begun.type === "call") this.#track(this.#callAddress(begun.hook, begun.leftMs, signal), begun.hook);
  }

  /** A hook that throws at each beginning has failed. While the database is unreachable, its lease expires. */
  async #notBegun(hook: HookRow, error: unknown): Promise<void> {
    if (!isRowFault(error) && !isOwnDelay(error)) throw error;
    // Its other attempts were calls that failed.
    const beginnings = hook.attempt - hook.calls;
    if (beginnings >= MAX_BEGINNINGS) {
      await this.#fail(hook, `it could not be begun: ${messageOf(error)}`, error);
      return;
    }
    if (beginnings === 1) this.#parts.report(error);
    await this.#postpone(hook, { afterMs: AGAIN_MS });
  }

  /** The hook waits in the store. It is claimed when it is due, here or by another coordinator. */
  async #postpone(hook: HookRow, postponement: Postponement): Promise<void> {
    await this.#lifecycle.postponeHook(hook, postponement);
    // Long pauses are left to the poll.
    if (postponement.afterMs > MAX_TIMED_PAUSE_MS) return;
    const timer = setTimeout(() => {
      this.#pauses.delete(timer);
      this.#wakeups.wake("hooks");
    }, postponement.afterMs);
    this.#pauses.add(timer);
  }

  #track(call: Promise<void>, hook: HookRow): void {
    const release = this.#parts.slots.occupy(hook);
    // No caller waits for a call, so an error would end the process.
    const tracked = call
      .catch((error: unknown) => this.#parts.report(error))
      .finally(() => {
        this.#calls.delete(tracked);
        release();
        this.#wakeups.wake("hooks");
      });
    this.#calls.add(tracked);
  }

  /** A call may take longer than a lease. One whose hook has ended, or whose lease is lost, is given up. */
  #renew(hook: HookRow, ending: AbortController): void {
    this.#lifecycle.renewHook(hook).then(
      (isOurs) => isOurs || ending.abort(),
      // The database is unreachable. The lease is renewed when it is back in time, else the URL is called again.
      () => undefined,
    );
  }

  /** Not inside a transaction: a call may take minutes. On a crash the lease expires and another coordinator calls. */
  async #callAddress(hook: HookRow, leftMs: number, signal: AbortSignal): Promise<void> {
    const { controller: ending, release } = linkedController(signal);
    const renewing = setInterval(() => this.#renew(hook, ending), (this.#limits.leaseSeconds * 1_000) / 3);
    try {
      const reply = await this.#parts.attempt(hook, ending.signal, leftMs);
      // A coordinator that stops leaves the hook as it is; its lease expires, and another one calls again.
      if (ending.signal.aborted) return;
      if (reply.type !== "retry") await this.#lifecycle.answerHook(hook, reply);
      else await this.#postpone(hook, { afterMs: reply.afterMs, failure: reply.error });
    } catch (error) {
      // The database is unreachable: the lease expires, and the URL is called again with the same key.
      if (!isRowFault(error) || ending.signal.aborted) return;
      // A repetition would have the same outcome until the timeout, and the reason would be lost.
      await this.#fail(hook, `its answer could not be taken: ${messageOf(error)}`, error);
    } finally {
      clearInterval(renewing);
      release();
    }
  }

  /** Lets a hook fail by its `on_error`, and sets it aside when not even that can be done. */
  async #fail(hook: HookRow, error: string, cause: unknown): Promise<void> {
    try {
      await this.#lifecycle.answerHook(hook, { type: "failed", error });
    } catch (worse) {
      if (!isRowFault(worse)) return;
      this.#parts.failures.countSetAside(`the hook ${hook.id} of ${hook.run_id}`, cause);
      await this.#lifecycle.setAsideHook(hook, worse);
    }
  }
}
