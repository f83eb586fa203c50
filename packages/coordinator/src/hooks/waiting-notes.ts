import { pause } from "@tenterhook/internal";
import { isOwnDelay, isRowFault } from "../database/sql-error.ts";
import { FIRST_QUEUED, MAX_QUEUED_READ, type RunLifecycle } from "../lifecycle/index.ts";
import type { CallSlots } from "./call-slots.ts";

const EVERY_MS = 1_000;

/** Records why hooks wait that this coordinator has no room for. It does not delay the calls of others. */
export class WaitingNotes {
  readonly #lifecycle: RunLifecycle;
  readonly #slots: CallSlots;
  /** The last one that is noted. */
  #last = FIRST_QUEUED;

  constructor(lifecycle: RunLifecycle, slots: CallSlots) {
    this.#lifecycle = lifecycle;
    this.#slots = slots;
  }

  async round(signal: AbortSignal): Promise<void> {
    const read = this.#slots.isAnyFull() ? await this.#note(signal) : this.#startAgain();
    if (read < MAX_QUEUED_READ) await pause(EVERY_MS, signal);
  }

  #startAgain(): number {
    this.#last = FIRST_QUEUED;
    return 0;
  }

  async #note(signal: AbortSignal): Promise<number> {
    const hooks = await this.#lifecycle.queuedHooks(this.#last);
    for (const hook of hooks) {
      const limit = this.#slots.limitOf(hook);
      // There is room again: it is about to be claimed.
      if (limit === undefined || signal.aborted) return 0;
      await this.#lifecycle.noteWaiting(hook, limit).catch((error: unknown) => {
        // One that cannot be read is set aside when it is claimed.
        if (!isRowFault(error) && !isOwnDelay(error)) throw error;
      });
      this.#last = hook;
    }
    return hooks.length;
  }
}
