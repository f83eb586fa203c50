import { pause } from "@tenterhook/internal";
import { isUnavailable } from "./database/sql-error.ts";

/** Calls a function repeatedly until it is stopped. A failure is reported, and the call repeated after a pause. */
export class Loop {
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;

  constructor(
    round: (signal: AbortSignal) => Promise<void>,
    failed: (error: unknown) => void,
    pauseMs = 500,
  ) {
    this.#running = this.#run(round, failed, pauseMs);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(
    round: (signal: AbortSignal) => Promise<void>,
    failed: (error: unknown) => void,
    pauseMs: number,
  ): Promise<void> {
    const { signal } = this.#stopping;
    let wasUnavailable = false;
    while (!signal.aborted) {
      try {
        await round(signal);
        wasUnavailable = false;
      } catch (error) {
        // An outage of the database is reported when it begins, and not at every attempt.
        const isKnown = wasUnavailable && isUnavailable(error);
        if (!signal.aborted && !isKnown) failed(error);
        wasUnavailable = isUnavailable(error);
        await pause(pauseMs, signal);
      }
    }
  }
}
