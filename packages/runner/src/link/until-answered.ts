import { Backoff } from "./backoff.ts";
import { pause } from "./pause.ts";
import { Refusal } from "./refusal.ts";

/** Of those who answer for the coordinator: it is busy, or away for a moment. */
const PASSING = new Set([408, 425, 429, 502, 503, 504]);

/** A coordinator that breaks over a question may be mended meanwhile, but it may also be the question. */
const MOST_BREAKDOWNS = 5;

/**
 * Asks again until there is an answer, through restarts of the coordinator; so the question must be one that can be
 * repeated. Rejects with the `Refusal` when it is refused, and with the signal's reason when nobody wants to know any more.
 */
export async function untilAnswered<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  backoff = new Backoff(),
): Promise<T> {
  for (let breakdowns = 0; ; ) {
    signal.throwIfAborted();
    try {
      return await ask(signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Refusal && !PASSING.has(error.status)) {
        breakdowns++;
        if (error.status < 500 || breakdowns >= MOST_BREAKDOWNS) throw error;
      }
    }
    await pause(backoff.nextMs(), signal);
  }
}
