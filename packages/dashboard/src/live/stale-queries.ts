import { pause } from "@tenterhook/internal";

/** Marks the queries whose keys begin so as stale, and reads those that are shown. */
type Invalidate = (key: readonly string[]) => Promise<void>;

interface Pace {
  /** The pause between two rounds of invalidation. */
  readonly pauseMs: number;
  /** The pause is at least so many times as long as the reading took. */
  readonly rest: number;
}

/** For most queries. */
export const QUICK: Pace = { pauseMs: 400, rest: 0 };
/** For queries that make the database count: they take up to a twentieth of its time. */
export const SLOW: Pace = { pauseMs: 5_000, rest: 20 };

/**
 * Invalidates the queries that events made stale: visible data is read at once, the rest when it is shown again. One round at a
 * time, so that many events cannot keep cancelling the requests.
 */
export class StaleQueries {
  readonly #invalidate: Invalidate;
  readonly #pace: Pace;
  #keys = new Map<string, readonly string[]>();
  #round: Promise<void> | undefined;

  constructor(invalidate: Invalidate, pace: Pace) {
    this.#invalidate = invalidate;
    this.#pace = pace;
  }

  add(keys: readonly (readonly string[])[]): void {
    for (const key of keys) this.#keys.set(key.join(" "), key);
    if (this.#keys.size > 0) this.#round ??= this.#rounds();
  }

  async #rounds(): Promise<void> {
    while (this.#keys.size > 0) {
      const keys = [...this.#keys.values()];
      this.#keys = new Map();
      const { pauseMs, rest } = this.#pace;
      const began = performance.now();
      await Promise.all(keys.map((key) => this.#invalidate(key)));
      await pause(Math.max(pauseMs, rest * (performance.now() - began)));
    }
    this.#round = undefined;
  }
}
