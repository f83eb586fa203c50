import { onTestFinished } from "vitest";

const TICK_MS = 10;
/** A tick that comes later than this is late because the processors were busy with other work. */
const MAX_COUNTED_MS = 50;

/**
 * Counts the time during which this process was running, in small ticks: as fast as any clock on a machine that keeps up, and
 * hardly at all while the machine stalls. For time limits of the code under test, on a machine that does other work as well.
 */
export class RunningClock {
  #elapsedMs = 0;
  #tickedAt = performance.now();

  constructor() {
    const timer = setInterval(() => this.#tick(), TICK_MS);
    onTestFinished(() => clearInterval(timer));
  }

  get elapsedMs(): number {
    this.#tick();
    return this.#elapsedMs;
  }

  #tick(): void {
    const now = performance.now();
    this.#elapsedMs += Math.min(now - this.#tickedAt, MAX_COUNTED_MS);
    this.#tickedAt = now;
  }
}
