import { messageOf } from "@tenterhook/protocol";
import { linkedController } from "@tenterhook/protocol/support";
import { isRowFault } from "../database/sql-error.ts";
import type { HookReply } from "../domain/hook-decision.ts";
import type { Limits } from "../domain/limits.ts";
import type { RunLifecycle } from "../lifecycle/index.ts";
import type { HookRow } from "../store/rows.ts";
import type { Wakeups } from "../wakeups.ts";

/** Calls the URL of an http hook, until the signal aborts. */
export type HttpHookCaller = (hook: HookRow, signal: AbortSignal) => Promise<HookReply>;

export interface HookWorkerParts {
  readonly call: HttpHookCaller;
  /** Receives errors, also those of hooks that were set aside. */
  readonly report: (error: unknown) => void;
}

/** How many addresses one coordinator calls at a time. */
const MAX_CALLS = 32;
/** For when a wake-up was lost. */
const POLL_MS = 1_000;
/** How often a hook that throws each time is started before it has failed. */
const MAX_BEGINNINGS = 3;
const AGAIN_SECONDS = 1;

/** Executes hooks that are due: agent hooks become runs, http hooks are called. Any number of coordinators may do so. */
export class HookWorker {
  readonly #lifecycle: RunLifecycle;
  readonly #wakeups: Wakeups;
  readonly #limits: Limits;
  readonly #parts: HookWorkerParts;
  readonly #calls = new Set<Promise<void>>();

  constructor(lifecycle: RunLifecycle, wakeups: Wakeups, limits: Limits, parts: HookWorkerParts) {
    this.#lifecycle = lifecycle;
    this.#wakeups = wakeups;
    this.#limits = limits;
    this.#parts = parts;
  }

  /** Claims due hooks and begins them; waits when there are none. */
  async round(signal: AbortSignal): Promise<void> {
    const room = MAX_CALLS - this.#calls.size;
    const hooks = room <= 0 ? [] : await this.#lifecycle.claimHooks(room);
    for (const hook of hooks) {
      // A hook that cannot be begun must not delay the others.
      await this.#begin(hook, signal).catch((error: unknown) => this.#notBegun(hook, error));
    }
    if (hooks.length === 0) await this.#wakeups.wait("hooks", POLL_MS, signal);
  }

  /** Waits for the active calls; they end soon after the loop was stopped. */
  async close(): Promise<void> {
    await Promise.all(this.#calls);
  }

  async #begin(hook: HookRow, signal: AbortSignal): Promise<void> {
    const begun = await this.#lifecycle.beginHook(hook);
    if (begun.type === "call") this.#track(this.#callAddress(begun.hook, signal));
  }

  /** A hook that throws at each beginning has failed. While the database is unreachable, its lease expires. */
  async #notBegun(hook: HookRow, error: unknown): Promise<void> {
    if (!isRowFault(error)) throw error;
    if (hook.attempt >= MAX_BEGINNINGS) {
      await this.#fail(hook, `it could not be begun: ${messageOf(error)}`, error);
      return;
    }
    if (hook.attempt === 1) this.#parts.report(error);
    await this.#lifecycle.postponeHook(hook, AGAIN_SECONDS);
  }

  #track(call: Promise<void>): void {
    // No caller waits for a call, so an error would end the process.
    const tracked = call
      .catch((error: unknown) => this.#parts.report(error))
      .finally(() => {
        this.#calls.delete(tracked);
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
  async #callAddress(hook: HookRow, signal: AbortSignal): Promise<void> {
    const { controller: ending, release } = linkedController(signal);
    const renewing = setInterval(() => this.#renew(hook, ending), (this.#limits.leaseSeconds * 1_000) / 3);
    try {
      const reply = await this.#parts.call(hook, ending.signal);
      // A coordinator that stops leaves the hook as it is; its lease expires, and another one calls again.
      if (!ending.signal.aborted) await this.#lifecycle.answerHook(hook, reply);
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
      this.#parts.report(
        new Error(`the hook ${hook.id} of ${hook.run_id} is set aside: ${error}`, { cause }),
      );
      await this.#lifecycle.setAsideHook(hook, worse);
    }
  }
}
