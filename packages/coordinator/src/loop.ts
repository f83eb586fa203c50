import { pause } from "@tenterhook/protocol/support";

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
    while (!signal.aborted) {
      try {
        await round(signal);
      } catch (error) {
        if (!signal.aborted) failed(error);
        await pause(pauseMs, signal);
      }
    }
  }
}
