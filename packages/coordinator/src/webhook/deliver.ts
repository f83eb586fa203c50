import type { AddressPolicy } from "./address-policy.ts";
import { exchange, type WebhookResponse } from "./exchange.ts";
import { redirectTarget } from "./redirect-target.ts";
import { checkedTarget, type Lookup } from "./target.ts";
import { WebhookFailure } from "./webhook-failure.ts";

/** The request of a webhook, before redirects. */
export interface WebhookRequest {
  readonly method: string;
  readonly url: URL;
  /** For the origin of `url` only. They take precedence over `ownHeaders`. */
  readonly configuredHeaders: Readonly<Record<string, string>>;
  readonly ownHeaders: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface SendRules {
  readonly allows: AddressPolicy;
  readonly lookup: Lookup;
  readonly maxRedirects: number;
  /** `undefined` when answers are not read. */
  readonly maxResponseBytes: number | undefined;
}

/**
 * Sends a request and follows its redirects, each of which is checked like the first address. The configured headers are
 * dropped at the first redirect to another origin, and stay dropped: a receiver that redirects must neither collect a
 * credential nor choose where it is used.
 */
export async function deliver(
  request: WebhookRequest,
  rules: SendRules,
  signal: AbortSignal,
): Promise<WebhookResponse> {
  const { method, body, ownHeaders } = request;
  let { url, configuredHeaders } = request;
  for (let redirects = 0; ; redirects++) {
    const target = await checkedTarget(url, rules, signal);
    const outgoing = { method, body, headers: { ...ownHeaders, ...configuredHeaders } };
    const reply = await exchange(target, outgoing, rules.maxResponseBytes, signal);
    if (reply.status < 300 || reply.status > 399) return reply;
    if (redirects === rules.maxRedirects) {
      const message = `${url.origin} redirected once more, after ${redirects} redirects.`;
      throw new WebhookFailure("redirect_refused", message, { status: reply.status });
    }
    const next = redirectTarget(url, reply);
    if (next.origin !== url.origin) configuredHeaders = {};
    url = next;
  }
}
