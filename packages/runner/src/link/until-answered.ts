import { Backoff, linkedController, onAbort, pause } from "@tenterhook/protocol/support";
import { NetworkFailure, Refusal } from "./refusal.ts";

/** The coordinator, or a proxy for it, is busy or restarting, or its disk is full. */
const TRANSIENT = new Set([408, 425, 429, 502, 503, 504, 507]);

/** An internal error of the coordinator may be gone soon, but the request may also be its cause. */
const MAX_INTERNAL_ERRORS = 5;

/** A request that was lost so often, while others were answered, does not get through and is given up. */
const MAX_LOSSES = 12;

export interface Persistence {
  readonly backoff?: Backoff;
  /** How many requests of any kind have been answered. Without it a request is repeated without a limit. */
  readonly answers?: () => number;
  /** When it is aborted, the request is repeated once more at once, and given up if it is lost again. */
  readonly hurry?: AbortSignal | undefined;
}

/**
 * Repeats a request until there is an answer, through restarts of the coordinator; so the request must be repeatable. Only failures
 * of the network are retried. Rejects with the `Refusal` when it is refused, with the signal's reason when
 * it was aborted, and at once with anything else, such as a body that cannot be sent.
 */
export async function untilAnswered<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  { backoff = new Backoff(), answers, hurry }: Persistence = {},
): Promise<T> {
  const answeredBefore = answers?.() ?? 0;
  for (let internalErrors = 0, losses = 0; ; ) {
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
        if (losses >= MAX_LOSSES && othersAnswered >= MAX_LOSSES / 4) throw error;
      } else if (!(error instanceof Refusal)) {
        throw error;
      } else if (!TRANSIENT.has(error.status)) {
        internalErrors++;
        if (error.status < 500 || internalErrors >= MAX_INTERNAL_ERRORS) throw error;
      }
    }
    await pauseUnless(hurry, backoff.nextMs(), signal);
  }
}

/** Pauses until the time is up, or until `hurry` or the signal fires. */
async function pauseUnless(hurry: AbortSignal | undefined, ms: number, signal: AbortSignal): Promise<void> {
  if (hurry?.aborted === true) return;
  const { controller, release } = linkedController(signal);
  const releaseHurry = onAbort(hurry, () => controller.abort());
  await pause(ms, controller.signal);
  releaseHurry();
  release();
}
