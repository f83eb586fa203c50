import { setImmediate as nextTurn } from "node:timers/promises";
import { throwIfAborted } from "./failure.ts";

/** How long a tool may work at a stretch before others in this process have their turn. */
const STRETCH_MS = 15;

/** Tells long work when to let others have their turn, so that a large search holds nobody up. */
export class Pace {
  #since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#since > STRETCH_MS;
  }

  /** Lets others have their turn; throws when the work is no longer wanted. */
  async rest(signal: AbortSignal): Promise<void> {
    await nextTurn();
    throwIfAborted(signal);
    this.#since = performance.now();
  }
}
