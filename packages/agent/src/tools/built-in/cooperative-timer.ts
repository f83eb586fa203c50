import { setImmediate as nextTick } from "node:timers/promises";
import { throwIfAborted } from "./failure.ts";

/** How long a tool may work at a stretch before others in this process have their turn. */
const MAX_BLOCKING_MS = 15;

/** Tells long work when to let others have their turn, so that a large search holds nobody up. */
export class CooperativeTimer {
  #since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#since > MAX_BLOCKING_MS;
  }

  /** Lets others have their turn; throws when the work is no longer wanted. */
  async yieldToEventLoop(signal: AbortSignal): Promise<void> {
    await nextTick();
    throwIfAborted(signal);
    this.#since = performance.now();
  }
}
