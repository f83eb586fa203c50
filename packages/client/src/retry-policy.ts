import { backoffMs } from "@tenterhook/internal";
import { isRequestError } from "./request-error.ts";

/** How often a request that may be repeated is sent. Only transient failures are repeated. */
export interface RetryPolicy {
  /** How often in all. 1 for no retries. Default 3. */
  readonly attempts?: number;
  /** The pause after the first attempt, in milliseconds; it doubles each time, and is by chance up to half shorter. Default 200. */
  readonly firstMs?: number;
  /** The longest pause, in milliseconds. A response whose `Retry-After` asks for more is not waited for. Default 5,000. */
  readonly mostMs?: number;
}

/** How long to wait before a failed request is repeated; `undefined` when it must not be. */
export function retryDelayMs(
  error: unknown,
  attempt: number,
  { attempts = 3, firstMs = 200, mostMs = 5_000 }: RetryPolicy,
): number | undefined {
  if (attempt >= attempts || !isRequestError(error) || !error.isTransient) return undefined;
  if (error.retryAfterMs > mostMs) return undefined;
  return Math.max(error.retryAfterMs, backoffMs(attempt - 1, { firstMs, mostMs }));
}
