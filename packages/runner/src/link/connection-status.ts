import { describeCause } from "@tenterhook/client";
import type { Log } from "../log.ts";

/** Whether the coordinator can be reached. Logs each change, and not every attempt. */
export class ConnectionStatus {
  readonly #log: Log;
  #disconnectedAt: number | undefined;
  #answers = 0;
  #accepted = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** How often the coordinator has answered. */
  get answers(): number {
    return this.#answers;
  }

  /** How many requests the coordinator has accepted. */
  get accepted(): number {
    return this.#accepted;
  }

  connected(isAccepted: boolean): void {
    this.#answers++;
    if (isAccepted) this.#accepted++;
    if (this.#disconnectedAt === undefined) return;
    const seconds = (performance.now() - this.#disconnectedAt) / 1_000;
    this.#disconnectedAt = undefined;
    this.#log(`the coordinator is back after ${seconds.toFixed(1)} s`);
  }

  disconnected(error: unknown): void {
    if (this.#disconnectedAt !== undefined) return;
    this.#disconnectedAt = performance.now();
    this.#log(`the coordinator cannot be reached (${describeCause(error)}); trying again until it can`);
  }
}
