import { Backoff, linkedController, onAbort, pause } from "@tenterhook/internal";
import { isNetworkFailure, isRefusal } from "./refusal.ts";

/** An internal error of the coordinator may be gone soon, but the request may also be its cause. */
const MAX_INTERNAL_ERRORS = 5;
/** A request that must not be lost is its cause only if others were accepted meanwhile, for so long. */
const INTERNAL_ERRORS_MS = 60_000;

/** A request that was lost so often, while others were answered, does not get through and is given up. */
const MAX_LOSSES = 12;

export interface Persistence {
  readonly backoff?: Backoff;
  /** How many requests of any kind have been answered. Without it a request is repeated without a limit. */
  readonly answers?: () => number;
  /**
   * How many requests of any kind have been accepted. With it an internal error is taken for a fault of this request only if
   * others are accepted for a minute; without it after a few attempts.
   */
  readonly accepted?: (() => number) | undefined;
  /** The clock, in milliseconds. */
  readonly now?: () => number;
  /** When it is aborted, the request is repeated once more at once, and given up if it is lost again. */
  readonly hurry?: AbortSignal | undefined;
}

/**
 * Repeats a request until there is an answer, through restarts of the coordinator; so the request must be repeatable. Only failures
 * of the network are retried. Rejects with the refusal when it is refused, with the signal's reason when
 * it was aborted, and at once with anything else, such as a body that cannot be sent.
 */
export async function untilAnswered<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  { backoff = new Backoff(), answers, accepted, hurry, now = () => performance.now() }: Persistence = {},
): Promise<T> {
  const answeredBefore = answers?.() ?? 0;
  let firstInternal: { readonly at: number; readonly accepted: number } | undefined;
  for (let internalErrors = 0, losses = 0; ; ) {
    signal.throwIfAborted();
    const isLast = hurry?.aborted === true;
    try {
      return await ask(signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isNetworkFailure(error)) {
        if (isLast) throw error;
        losses++;
        const othersAnswered = answers === undefined ? 0 : answers() - answeredBefore;
        if (losses >= MAX_LOSSES && othersAnswered >= MAX_LOSSES / 4) throw error;
      } else if (!isRefusal(error) || !("status" in error)) {
        throw error;
      } else if (!error.isTransient) {
        if (error.status === undefined || error.status < 500) throw error;
        internalErrors++;
        firstInternal ??= { at: now(), accepted: accepted?.() ?? 0 };
        const isItsFault =
          accepted === undefined ||
          (accepted() > firstInternal.accepted && now() - firstInternal.at >= INTERNAL_ERRORS_MS);
        if (internalErrors >= MAX_INTERNAL_ERRORS && isItsFault) throw error;
      }
    }
    await pauseUnless(hurry, backoff.nextMs(), signal);
  }
}

/** Pauses until the time is up, or until `hurry` or the signal fires. */
async function pauseUnless(hurry: AbortSignal | undefined, ms: number, signal: AbortSignal): Promise<void> {
  // Only a coordinator that refuses for the moment is asked again after that, and not in haste.
  if (hurry?.aborted === true) return pause(ms, signal);
  const { controller, release } = linkedController(signal);
  const releaseHurry = onAbort(hurry, () => controller.abort());
  await pause(ms, controller.signal);
  releaseHurry();
  release();
}
