import { setImmediate as otherWork } from "node:timers/promises";

/** How long the process may do nothing else. */
const LONGEST_MS = 8;

/** Divides long work, so that requests are answered meanwhile. */
export class Pauses {
  readonly #now: () => number;
  #since: number;

  /** Milliseconds of a clock that only moves forward. Default `performance.now`. */
  constructor(now = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  /** To be awaited between two parts of the work. Returns at once, or after other work when the last pause was some time ago. */
  next(): Promise<void> | undefined {
    return this.#now() - this.#since < LONGEST_MS ? undefined : this.#pause();
  }

  async #pause(): Promise<void> {
    await otherWork();
    this.#since = this.#now();
  }
}
