import { Backoff, pause } from "@tenterhook/protocol/support";
import { NetworkFailure, Refusal } from "./refusal.ts";

/** Of those who answer for the coordinator: it is busy, away for a moment, or its disk is full. */
const PASSING = new Set([408, 425, 429, 502, 503, 504, 507]);

/** A coordinator that breaks over a question may be mended meanwhile, but it may also be the question. */
const MOST_BREAKDOWNS = 5;

/** A question that got lost so often, while others were answered, does not get through: it is given up. */
const MOST_LOSSES = 12;

export interface Persistence {
  readonly backoff?: Backoff;
  /** How many questions of any kind have been answered. Without it a question is asked for as long as it takes. */
  readonly answers?: () => number;
  /** When it is aborted, the question is asked once more at once, and given up if it gets lost again. */
  readonly hurry?: AbortSignal | undefined;
}

/**
 * Asks again until there is an answer, through restarts of the coordinator; so the question must be one that can be
 * repeated. Only what the network did is retried. Rejects with the `Refusal` when it is refused, with the signal's reason when
 * it was aborted, and at once with anything else, such as a body that cannot be sent.
 */
export async function untilAnswered<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  { backoff = new Backoff(), answers, hurry }: Persistence = {},
): Promise<T> {
  const answeredBefore = answers?.() ?? 0;
  for (let breakdowns = 0, losses = 0; ; ) {
    signal.throwIfAborted();
    const isLast = hurry?.aborted === true;
    try {
      return await ask(signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NetworkFailure) {
        if (isLast) throw error;
        losses++;
        const othersAnswered = answers === undefined ? 0 : answers() - answeredBefore;
        if (losses >= MOST_LOSSES && othersAnswered >= MOST_LOSSES / 4) throw error;
      } else if (!(error instanceof Refusal)) {
        throw error;
      } else if (!PASSING.has(error.status)) {
        breakdowns++;
        if (error.status < 500 || breakdowns >= MOST_BREAKDOWNS) throw error;
      }
    }
    await pauseUnless(hurry, backoff.nextMs(), signal);
  }
}

/** Pauses until the time is up, or until there is no time for it. */
async function pauseUnless(hurry: AbortSignal | undefined, ms: number, signal: AbortSignal): Promise<void> {
  if (hurry?.aborted === true) return;
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const each of [hurry, signal]) each?.addEventListener("abort", end, { once: true });
  await pause(ms, ending.signal);
  for (const each of [hurry, signal]) each?.removeEventListener("abort", end);
}
