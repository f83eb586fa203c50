import { WebhookFailure } from "./webhook-failure.ts";
import { webhookUrl } from "./webhook-url.ts";

/**
 * Where a redirect leads. Only 307 and 308 are followed: the others would turn the request into a GET. A redirect
 * from https to http is refused.
 */
export function redirectTarget(
  from: URL,
  { status, location }: { readonly status: number; readonly location: string | undefined },
): URL {
  const refused = (words: string) =>
    new WebhookFailure("redirect_refused", `${from.origin} ${words}.`, { status });
  if (status !== 307 && status !== 308) {
    throw refused(`answered with status ${status}; only 307 and 308 are followed`);
  }
  if (location === undefined) throw refused("redirected without a Location header");
  const next = webhookUrl(location, from);
  if (from.protocol === "https:" && next.protocol === "http:") throw refused("redirected from https to http");
  return next;
}
