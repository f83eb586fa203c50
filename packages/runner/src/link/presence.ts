import type { Log } from "../log.ts";
import { reasonOf } from "./refusal.ts";

/** Whether the coordinator can be reached: a person is told when that changes, and not at every try. */
export class Presence {
  readonly #log: Log;
  #awaySince: number | undefined;
  #answers = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** How often the coordinator has answered. */
  get answers(): number {
    return this.#answers;
  }

  isHere(): void {
    this.#answers++;
    if (this.#awaySince === undefined) return;
    const seconds = (performance.now() - this.#awaySince) / 1_000;
    this.#awaySince = undefined;
    this.#log(`the coordinator is back after ${seconds.toFixed(1)} s`);
  }

  isAway(error: unknown): void {
    if (this.#awaySince !== undefined) return;
    this.#awaySince = performance.now();
    this.#log(`the coordinator cannot be reached (${reasonOf(error)}); trying again until it can`);
  }
}
