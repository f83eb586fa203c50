import { isJsonLimit, parseJson, retryAfterMs } from "@tenterhook/internal";
import type { WebhookResponse } from "./exchange.ts";
import { WebhookFailure } from "./webhook-failure.ts";

/** Statuses besides 5xx after which the same request may succeed later: timeout, too early, too many requests. */
const RETRYABLE_STATUSES = new Set([408, 425, 429]);

/** Parses a reply: JSON, or `undefined` for an empty one. Any other status than a success is a failure. */
export function parseResponse({ origin, status, retryAfter, body }: WebhookResponse, now: number): unknown {
  if (status < 200 || status > 299) {
    throw new WebhookFailure("bad_status", `${origin} answered with status ${status}.`, {
      status,
      isRetryable: status >= 500 || RETRYABLE_STATUSES.has(status),
      retryAfterMs: retryAfterMs(retryAfter, now),
    });
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    return text.trim() === "" ? undefined : parseJson(text, `the response of ${origin}`);
  } catch (error) {
    if (isJsonLimit(error)) throw new WebhookFailure("bad_response", error.message, { status });
    // The parser's message would quote the response.
    throw new WebhookFailure("bad_response", `${origin} answered with something that is not JSON.`, {
      status,
    });
  }
}
