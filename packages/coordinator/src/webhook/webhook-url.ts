import { WebhookFailure } from "./webhook-failure.ts";

/**
 * Reads the address of a webhook, or one that it redirects to. Odd spellings of hosts (decimal, octal, hexadecimal, full-width digits) are
 * normalised, and IPv6 zones are refused, by the rules of URLs. Reasons never show more than the origin: many services
 * have their key in the path or the query.
 */
export function webhookUrl(text: string, from?: URL): URL {
  const what = from === undefined ? "The webhook's address" : `The address that ${from.origin} redirects to`;
  if (!URL.canParse(text, from?.href)) throw new WebhookFailure("bad_url", `${what} is not a URL.`);
  const url = new URL(text, from);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new WebhookFailure("bad_url", `${what} begins with ${url.protocol} and not with http: or https:.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new WebhookFailure(
      "bad_url",
      `${what} has a user or a password in it; send an Authorization header instead.`,
    );
  }
  return url;
}

/** The host of a URL as a resolver takes it: IPv6 addresses without their brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}
