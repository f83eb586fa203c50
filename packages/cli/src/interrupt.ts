import { EXIT } from "./command.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * npm and npx forward a Ctrl-C that the terminal has already sent to the process group; a second signal within this time is the
 * same one.
 */
const ECHO_MS = 500;

/** Handles the signals that ask the process to end, which then does not end by itself. */
export class ShutdownRequest {
  readonly #first = new Deferred();
  readonly #second = new Deferred();
  #firstAt: number | undefined;

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#handle);
  }

  /** Resolves at the first signal. */
  get requested(): Promise<void> {
    return this.#first.promise;
  }

  /** Resolves at the second signal: the user does not want to wait. */
  get repeated(): Promise<void> {
    return this.#second.promise;
  }

  /** Ends the process at the second signal. */
  exitWhenRepeated(): void {
    void this.repeated.then(() => process.exit(EXIT.interrupted));
  }

  release(): void {
    for (const signal of SIGNALS) process.off(signal, this.#handle);
  }

  readonly #handle = (): void => {
    const now = performance.now();
    if (this.#firstAt === undefined) {
      this.#firstAt = now;
      this.#first.resolve();
    } else if (now - this.#firstAt > ECHO_MS) this.#second.resolve();
  };
}

/** A promise that is resolved from outside. */
class Deferred {
  resolve: () => void = () => undefined;
  readonly promise = new Promise<void>((resolve) => {
    this.resolve = resolve;
  });
}

/**
 * Runs work that Ctrl-C cancels through the signal. Hooks run in their own process groups, which the terminal's signal does not
 * reach.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const shutdown = new ShutdownRequest();
  void shutdown.requested.then(() => controller.abort("interrupted"));
  shutdown.exitWhenRepeated();
  try {
    return await work(controller.signal);
  } finally {
    shutdown.release();
  }
}
