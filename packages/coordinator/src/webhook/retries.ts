import { backoffMs, messageOf, pause as sleep } from "@tenterhook/internal";
import { failedResult } from "./failed-result.ts";
import type { EarlierAttempts, WebhookOptions, WebhookResult, WebhookRetry } from "./webhook-call.ts";
import { WebhookFailure } from "./webhook-failure.ts";

export interface RetryOptions extends Pick<WebhookOptions, "maxAttempts" | "random" | "pause"> {
  readonly now: () => number;
  /** When there is no more time, by the same clock. */
  readonly endsAt: number;
}

const DEFAULT_MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export type Attempt = () => Promise<{ readonly value: unknown; readonly status: number }>;

/** Calls until an attempt succeeds, fails with an error that is not retryable, or was the last one. */
export async function withRetries(
  attempt: Attempt,
  options: RetryOptions,
  signal: AbortSignal,
): Promise<WebhookResult> {
  const { pause = sleep } = options;
  let earlier: string | undefined;
  for (let before = 0; ; before++) {
    const outcome = await oneAttempt(attempt, { before, earlier }, options, signal);
    if (outcome.type !== "retry") return outcome;
    earlier = outcome.reason;
    await pause(outcome.afterMs, signal);
  }
}

/** Calls once. The outcome of a failure after which the call is to be repeated is the pause before that. */
export async function oneAttempt(
  attempt: Attempt,
  { before, earlier }: EarlierAttempts,
  options: RetryOptions,
  signal: AbortSignal,
): Promise<WebhookResult | WebhookRetry> {
  if (signal.aborted) return failedResult(signal.reason, before, earlier);
  try {
    return { type: "answered", ...(await attempt()), attempts: before + 1 };
  } catch (error) {
    const afterMs = pauseAfter(error, before, options);
    if (afterMs === undefined) return failedResult(error, before + 1, earlier);
    return { type: "retry", afterMs, reason: messageOf(error) };
  }
}

/** `undefined` when there is no next attempt. */
function pauseAfter(
  error: unknown,
  before: number,
  { maxAttempts = DEFAULT_MAX_ATTEMPTS, random = Math.random, now, endsAt }: RetryOptions,
): number | undefined {
  if (!(error instanceof WebhookFailure) || !error.isRetryable || before + 1 >= maxAttempts) return undefined;
  // A receiver that asks for a longer pause gets it.
  const pauseMs = Math.max(
    error.retryAfterMs,
    backoffMs(before, { firstMs: FIRST_PAUSE_MS, mostMs: LONGEST_PAUSE_MS, random }),
  );
  // No pause when no time is left for an attempt after it.
  return now() + pauseMs >= endsAt ? undefined : pauseMs;
}
