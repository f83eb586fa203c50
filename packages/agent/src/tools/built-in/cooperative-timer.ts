import { setImmediate as nextTick } from "node:timers/promises";
import { throwIfAborted } from "./failure.ts";

/** How long a tool may block the event loop. */
const MAX_BLOCKING_MS = 15;

/** Measures how long a tool has blocked the event loop, so that a large search can yield in time. */
export class CooperativeTimer {
  #since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#since > MAX_BLOCKING_MS;
  }

  /** Waits for the next tick of the event loop; throws if the call was cancelled. */
  async yieldToEventLoop(signal: AbortSignal): Promise<void> {
    await nextTick();
    throwIfAborted(signal);
    this.#since = performance.now();
  }
}
