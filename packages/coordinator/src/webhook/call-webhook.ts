import { readAddressPolicy } from "./address-policy.ts";
import { configuredHeaders } from "./configured-headers.ts";
import { deliver } from "./deliver.ts";
import { failedResult } from "./failed-result.ts";
import { ownHeaders } from "./own-headers.ts";
import { parseResponse } from "./parse-response.ts";
import { type Attempt, oneAttempt, type RetryOptions, withRetries } from "./retries.ts";
import { systemLookup } from "./target.ts";
import type {
  EarlierAttempts,
  WebhookCall,
  WebhookOptions,
  WebhookResult,
  WebhookRetry,
} from "./webhook-call.ts";
import { webhookUrl } from "./webhook-url.ts";
import { withinDeadline } from "./within-deadline.ts";

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
