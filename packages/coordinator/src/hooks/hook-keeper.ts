import { messageOf, TenterhookError } from "@tenterhook/protocol";
import type { Database } from "../database/database.ts";
import type { HookReply } from "../domain/hook-decision.ts";
import type { Limits } from "../runs/limits.ts";
import { stopIdleHookRuns } from "../runs/stop-run.ts";
import type { HookRow } from "../store/rows.ts";
import type { Wakeups } from "../wakeups.ts";
import { beginHook } from "./begin-hook.ts";
import { carryOn } from "./carry-on.ts";
import { claimHooks, renewHook } from "./hook-rows.ts";

/** Calls the address of an http hook, for as long as it is given; never throws. */
export type HttpHookCaller = (hook: HookRow, signal: AbortSignal) => Promise<HookReply>;

/** How many addresses one coordinator calls at a time. */
const MOST_CALLS = 32;
/** For when a wake-up was lost. */
const POLL_MS = 1_000;

/** Carries out hooks that are due: agent hooks become runs, http hooks are called. Any number of coordinators may. */
export class HookKeeper {
  readonly #database: Database;
  readonly #wakeups: Wakeups;
  readonly #limits: Limits;
  readonly #call: HttpHookCaller;
  readonly #calls = new Set<Promise<void>>();

  constructor(database: Database, wakeups: Wakeups, limits: Limits, call: HttpHookCaller) {
    this.#database = database;
    this.#wakeups = wakeups;
    this.#limits = limits;
    this.#call = call;
  }

  /** Takes what is due and begins it; waits when there is nothing. */
  async round(signal: AbortSignal): Promise<void> {
    const room = MOST_CALLS - this.#calls.size;
    const hooks = room <= 0 ? [] : await claimHooks(this.#database, room, this.#limits.leaseSeconds);
    for (const hook of hooks) {
      const begun = await this.#database.transaction((queries) => beginHook(queries, hook, this.#limits));
      this.#wakeups.wake("work", "events");
      if (begun.type === "call") this.#track(this.#callAddress(begun.hook, signal));
    }
    if (hooks.length === 0) await this.#wakeups.wait("hooks", POLL_MS, signal);
  }

  /** Waits for the calls that are under way; they end soon after the loop was stopped. */
  async close(): Promise<void> {
    await Promise.all(this.#calls);
  }

  #track(call: Promise<void>): void {
    this.#calls.add(call);
    void call.finally(() => {
      this.#calls.delete(call);
      this.#wakeups.wake("hooks");
    });
  }

  /** A call may take longer than a lease. One whose hook has ended, or is somebody else's by now, is given up. */
  #renew(hook: HookRow, ending: AbortController): void {
    renewHook(this.#database, hook, this.#limits.leaseSeconds).then(
      (isOurs) => isOurs || ending.abort(),
      // The database is away. When it is back in time the lease is renewed, else the address is called again.
      () => undefined,
    );
  }

  /** Not inside a transaction: an address may take minutes. Who dies meanwhile leaves the hook to the next, with its key. */
  async #callAddress(hook: HookRow, signal: AbortSignal): Promise<void> {
    const ending = new AbortController();
    const end = () => ending.abort();
    signal.addEventListener("abort", end, { once: true });
    const renewing = setInterval(() => this.#renew(hook, ending), (this.#limits.leaseSeconds * 1_000) / 3);
    const reply = await this.#call(hook, ending.signal);
    clearInterval(renewing);
    signal.removeEventListener("abort", end);
    // A coordinator that stops leaves the hook as it is; its lease runs out, and another one calls again.
    if (ending.signal.aborted) return;
    try {
      await this.#close(hook, reply).catch((error: unknown) => {
        if (isAway(error)) throw error;
        // Calling it again would bring the same, until its time is up; then nobody would know why.
        return this.#close(hook, {
          type: "failed",
          error: `its answer could not be taken: ${messageOf(error)}`,
        });
      });
    } catch {
      // The database is away: the lease runs out, and the address is called again with the same key.
    }
  }

  async #close(hook: HookRow, reply: HookReply): Promise<void> {
    await this.#database.transaction(async (queries) => {
      await carryOn(queries, [{ hook, reply }], this.#limits);
      await stopIdleHookRuns(queries, hook.run_id, this.#limits);
    });
    this.#wakeups.wake("work", "hooks", "events");
  }
}

function isAway(error: unknown): boolean {
  return TenterhookError.isInstance(error) && error.code === "store_unavailable";
}
