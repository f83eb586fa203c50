import { onTestFinished } from "vitest";

const TICK_MS = 10;
/** A tick that comes later than this came late because the machine gave its processors to others. */
const MOST_OF_A_TICK_MS = 50;

/**
 * Counts the time that this process was really running, in small ticks: as fast as any clock on a machine that keeps up, and hardly
 * at all while the machine stalls. For bounds that are about what the code does, and not about who else uses the machine.
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
    this.#elapsedMs += Math.min(now - this.#tickedAt, MOST_OF_A_TICK_MS);
    this.#tickedAt = now;
  }
}
