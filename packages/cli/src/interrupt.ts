import { EXIT } from "./command.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** npm and npx pass on a Ctrl-C that the terminal has sent to everybody already: what comes so soon is the same one. */
const ECHO_MS = 500;

/** Listens for the process being told to end, which it does not do by itself then. */
export class ShutdownRequest {
  readonly #told = new Moment();
  readonly #repeated = new Moment();
  #firstAt: number | undefined;

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#heed);
  }

  get told(): Promise<void> {
    return this.#told.come;
  }

  /** Told a second time: whoever does that does not want to wait. */
  get repeated(): Promise<void> {
    return this.#repeated.come;
  }

  /** Ends the process at once when it is told a second time. */
  exitWhenRepeated(): void {
    void this.repeated.then(() => process.exit(EXIT.interrupted));
  }

  release(): void {
    for (const signal of SIGNALS) process.off(signal, this.#heed);
  }

  readonly #heed = (): void => {
    const now = performance.now();
    if (this.#firstAt === undefined) {
      this.#firstAt = now;
      this.#told.arrive();
    } else if (now - this.#firstAt > ECHO_MS) this.#repeated.arrive();
  };
}

/** Something that happens once. */
class Moment {
  arrive: () => void = () => undefined;
  readonly come = new Promise<void>((resolve) => {
    this.arrive = resolve;
  });
}

/**
 * Runs something that Ctrl-C ends in order: hooks run in process groups of their own, which the terminal does not reach,
 * so they are told through the signal.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const ending = new ShutdownRequest();
  void ending.told.then(() => controller.abort("interrupted"));
  ending.exitWhenRepeated();
  try {
    return await work(controller.signal);
  } finally {
    ending.release();
  }
}
