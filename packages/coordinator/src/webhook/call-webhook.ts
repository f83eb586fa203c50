import { isJsonLimit, LONGEST_TIMER_MS, onAbort, parseJson, retryAfterMs } from "@tenterhook/internal";
import { readAddressPolicy } from "./address-policy.ts";
import { configuredHeaders } from "./configured-headers.ts";
import { deliver } from "./deliver.ts";
import type { WebhookResponse } from "./exchange.ts";
import { failedResult } from "./failed-result.ts";
import { ownHeaders } from "./own-headers.ts";
import { type Attempt, oneAttempt, type RetryOptions, withRetries } from "./retries.ts";
import { systemLookup } from "./target.ts";
import type {
  EarlierAttempts,
  WebhookCall,
  WebhookOptions,
  WebhookResult,
  WebhookRetry,
} from "./webhook-call.ts";
import { WebhookFailure } from "./webhook-failure.ts";
import { webhookUrl } from "./webhook-url.ts";

const DEFAULT_MAX_RESPONSE_BYTES = 1024 * 1024;
const DEFAULT_MAX_REDIRECTS = 3;

/**
 * Calls a webhook, and retries failures that are retryable, until it has answered, its time is up or the signal
 * fires. All failures of a blueprint, a receiver or the network are returned as a result. It rejects only for
 * defects of the program: an empty signing key, an unreadable `allowPrivate`, a body or an idempotency key that cannot be sent.
 *
 *     call ─ fill in and check the headers, read the URL
 *      └ attempt ─ sign, with the time of this attempt         ↺ after a pause, if the failure is retryable
 *         └ hop ─ look the host up, check every address        ↺ for 307 and 308
 *            └ exchange ─ connect to a checked address, send, read the response
 */
export function callWebhook(
  call: WebhookCall,
  options: WebhookOptions,
  signal: AbortSignal,
): Promise<WebhookResult> {
  return attempting(call, options, call.deadlineMs, signal, withRetries);
}

/** Makes one attempt of a call, in what is left of its time. A caller that is told to retry does so itself, after the pause. */
export function attemptWebhook(
  call: WebhookCall,
  options: WebhookOptions,
  { leftMs, ...earlier }: EarlierAttempts & { readonly leftMs: number },
  signal: AbortSignal,
): Promise<WebhookResult | WebhookRetry> {
  return attempting(call, options, leftMs, signal, (attempt, rules, ending) =>
    oneAttempt(attempt, earlier, rules, ending),
  );
}

async function attempting<Outcome>(
  call: WebhookCall,
  options: WebhookOptions,
  leftMs: number,
  signal: AbortSignal,
  make: (attempt: Attempt, options: RetryOptions, signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome | WebhookResult> {
  const { method, isResponseRead, deadlineMs } = call;
  const { variables, signingKey, now = Date.now } = options;
  const rules = {
    allows: readAddressPolicy(options.allowPrivate),
    lookup: options.lookup ?? systemLookup,
    maxRedirects: options.maxRedirects ?? DEFAULT_MAX_REDIRECTS,
    maxResponseBytes: isResponseRead ? (options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES) : undefined,
  };
  const body = Buffer.from(JSON.stringify(call.body));
  try {
    const url = webhookUrl(call.url);
    const configured = configuredHeaders(call.headers, variables);
    return await withinDeadline({ wholeMs: deadlineMs, leftMs }, url.origin, signal, (ending) => {
      const attempt = async () => {
        const own = ownHeaders(body, call, [signingKey].flat(), now());
        const request = { method, url, configuredHeaders: configured, ownHeaders: own, body };
        const reply = await deliver(request, rules, ending);
        return { value: parseResponse(reply, now()), status: reply.status };
      };
      return make(attempt, { ...options, now, endsAt: now() + leftMs }, ending);
    });
  } catch (error) {
    return failedResult(error, 0);
  }
}

/** Statuses besides 5xx after which the same request may succeed later: timeout, too early, too many requests. */
const RETRYABLE_STATUSES = new Set([408, 425, 429]);

/** Parses a reply: JSON, or `undefined` for an empty one. Any other status than a success is a failure. */
function parseResponse({ origin, status, retryAfter, body }: WebhookResponse, now: number): unknown {
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

/** The time for a call, in milliseconds: all of it, and what is left. */
interface TimeLimit {
  readonly wholeMs: number;
  readonly leftMs: number;
}

/**
 * Runs work with a signal that fires when the caller's does, or when the time is up, with the failure that it means as
 * its reason. The listener on the caller's signal is removed afterwards.
 */
async function withinDeadline<T>(
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
