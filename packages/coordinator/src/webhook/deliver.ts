import type { Allowance } from "./allowance.ts";
import { exchange, type Reply } from "./exchange.ts";
import { redirection } from "./redirection.ts";
import { checkedTarget, type Lookup } from "./target.ts";
import { WebhookFailure } from "./webhook-failure.ts";

/** What is sent, wherever it ends up. */
export interface Parcel {
  readonly method: string;
  readonly url: URL;
  /** For the origin of `url` only. They win over `ownHeaders`. */
  readonly configuredHeaders: Readonly<Record<string, string>>;
  readonly ownHeaders: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface DeliveryRules {
  readonly allows: Allowance;
  readonly lookup: Lookup;
  readonly maxRedirects: number;
  /** `undefined` when answers are not read. */
  readonly maxAnswerBytes: number | undefined;
}

/**
 * Sends a parcel and follows its redirects, each of which is checked like the first address. The configured headers stay
 * behind with the first step to another origin, and do not come back: who redirects must neither collect a credential nor
 * choose what it is used for.
 */
export async function deliver(parcel: Parcel, rules: DeliveryRules, signal: AbortSignal): Promise<Reply> {
  const { method, body, ownHeaders } = parcel;
  let { url, configuredHeaders } = parcel;
  for (let redirects = 0; ; redirects++) {
    const target = await checkedTarget(url, rules, signal);
    const outgoing = { method, body, headers: { ...ownHeaders, ...configuredHeaders } };
    const reply = await exchange(target, outgoing, rules.maxAnswerBytes, signal);
    if (reply.status < 300 || reply.status > 399) return reply;
    if (redirects === rules.maxRedirects) {
      const words = `${url.origin} redirected once more, after ${redirects} redirects.`;
      throw new WebhookFailure("redirect_refused", words, { status: reply.status });
    }
    const next = redirection(url, reply);
    if (next.origin !== url.origin) configuredHeaders = {};
    url = next;
  }
}
