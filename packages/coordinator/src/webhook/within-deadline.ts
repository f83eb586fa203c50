import { LONGEST_TIMER_MS, onAbort } from "@tenterhook/internal";
import { WebhookFailure } from "./webhook-failure.ts";

/** The time for a call, in milliseconds: all of it, and what is left. */
export interface TimeLimit {
  readonly wholeMs: number;
  readonly leftMs: number;
}

/**
 * Runs work with a signal that fires when the caller's does, or when the time is up, with the failure that it means as
 * its reason. The listener on the caller's signal is removed afterwards.
 */
export async function withinDeadline<T>(
  { wholeMs, leftMs }: TimeLimit,
  origin: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const cancel = () =>
    controller.abort(new WebhookFailure("cancelled", `The call of ${origin} was cancelled.`));
  const expire = () => {
    const message = `${origin} did not answer within ${Math.max(0, Math.round(wholeMs))} ms.`;
    controller.abort(new WebhookFailure("timed_out", message));
  };
  const release = onAbort(signal, cancel);
  if (leftMs <= 0) expire();
  const timer = setTimeout(expire, Math.min(leftMs, LONGEST_TIMER_MS));
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    release();
  }
}
