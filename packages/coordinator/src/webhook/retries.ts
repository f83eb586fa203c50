import { Backoff, pause as sleep } from "@tenterhook/protocol/support";
import { failedAnswer } from "./failed-answer.ts";
import type { WebhookAnswer, WebhookOptions } from "./webhook-call.ts";
import { WebhookFailure } from "./webhook-failure.ts";

export interface RetryOptions extends Pick<WebhookOptions, "maxAttempts" | "random" | "pause"> {
  readonly now: () => number;
  /** When there is no more time, by the same clock. */
  readonly endsAt: number;
}

const DEFAULT_MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Calls until an attempt succeeds, fails with an error that is not retryable, or was the last one. */
export async function withRetries(
  attempt: () => Promise<{ readonly value: unknown; readonly status: number }>,
  { maxAttempts = DEFAULT_MAX_ATTEMPTS, random = Math.random, pause = sleep, now, endsAt }: RetryOptions,
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  const backoff = new Backoff({ firstMs: FIRST_PAUSE_MS, mostMs: LONGEST_PAUSE_MS, random });
  let earlier: WebhookFailure | undefined;
  for (let made = 1; ; made++) {
    if (signal.aborted) return failedAnswer(signal.reason, made - 1, earlier);
    try {
      return { type: "answered", ...(await attempt()), attempts: made };
    } catch (error) {
      if (!(error instanceof WebhookFailure) || !error.isRetryable || made >= maxAttempts) {
        return failedAnswer(error, made, earlier);
      }
      // A receiver that asks for a longer pause gets it.
      const pauseMs = Math.max(error.retryAfterMs, backoff.nextMs());
      // No pause when no time is left for an attempt after it.
      if (now() + pauseMs >= endsAt) return failedAnswer(error, made, earlier);
      earlier = error;
      await pause(pauseMs, signal);
    }
  }
}
