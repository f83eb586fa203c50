import { WebhookFailure } from "./webhook-failure.ts";

/** Longest delay a timer takes. */
const LONGEST_MS = 2_147_483_647;

/**
 * Does work under a signal that fires when the caller's does, or when the time is up, with the failure that it means as
 * its reason. The caller's signal is let go of afterwards.
 */
export async function withinDeadline<T>(
  deadlineMs: number,
  origin: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const cancel = () =>
    controller.abort(new WebhookFailure("cancelled", `The call of ${origin} was cancelled.`));
  const expire = () => {
    const words = `${origin} did not answer within ${Math.max(0, Math.round(deadlineMs))} ms.`;
    controller.abort(new WebhookFailure("timed_out", words));
  };
  if (signal.aborted) cancel();
  else if (deadlineMs <= 0) expire();
  signal.addEventListener("abort", cancel, { once: true });
  const timer = setTimeout(expire, Math.min(deadlineMs, LONGEST_MS));
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
  }
}
