import { onAbort } from "./abort.ts";

/** The longest delay that a timer takes, in milliseconds. One that is set for longer fires at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** Waits for a time, or until the signal fires. It never rejects: callers check the signal afterwards. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return wait(() => () => {}, ms, signal);
}

/** Waits for work to complete, for at most this long; returns whether it did. Rejects if the work does. */
export async function completesWithin(timeoutMs: number, work: Promise<unknown>): Promise<boolean> {
  const ended = new AbortController();
  try {
    return await Promise.race([work.then(() => true), pause(timeoutMs, ended.signal).then(() => false)]);
  } finally {
    ended.abort();
  }
}

/** Lets any number of loops wait until something has changed. */
export class Notifier {
  readonly #waiting = new Set<() => void>();

  notify(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Waits for the next call of `notify`, for the end of the time, or for the signal. It never rejects. */
  next(signal?: AbortSignal, timeoutMs?: number): Promise<void> {
    const register = (wake: () => void) => {
      this.#waiting.add(wake);
      return () => this.#waiting.delete(wake);
    };
    return wait(register, timeoutMs, signal);
  }
}

/** A notification that is stored until it is waited for, and waited for by one loop. */
export class Latch {
  readonly #notifier = new Notifier();
  #isSet = false;

  set(): void {
    this.#isSet = true;
    this.#notifier.notify();
  }

  /** Waits until it is set, for the end of the time, or for the signal; resets it. It never rejects. */
  async wait(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    if (!this.#isSet) await this.#notifier.next(signal, timeoutMs);
    this.#isSet = false;
  }
}

function wait(
  register: (wake: () => void) => () => void,
  timeoutMs: number | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const wake = () => {
      clearTimeout(timer);
      unregister();
      release();
      resolve();
    };
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(wake, Math.min(timeoutMs, LONGEST_TIMER_MS));
    const unregister = register(wake);
    const release = onAbort(signal, wake);
  });
}
