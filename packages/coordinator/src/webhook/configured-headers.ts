import { validateHeaderName, validateHeaderValue } from "node:http";
import { fillHeader } from "./variables.ts";
import { WebhookFailure } from "./webhook-failure.ts";

/** Headers that frame the message, or that a receiver trusts to be set by the coordinator. */
const RESERVED = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "idempotency-key",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
]);
const RESERVED_PREFIX = "tenterhook-";

/** The headers of a blueprint, by lower-case names, with their variables filled in and fit to be sent. */
export function configuredHeaders(
  headers: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  const filled = new Map<string, string>();
  for (const [name, text] of Object.entries(headers)) {
    const key = name.toLowerCase();
    if (!isValid(() => validateHeaderName(name))) {
      throw new WebhookFailure("bad_header", `${JSON.stringify(name)} cannot be the name of a header.`);
    }
    if (RESERVED.has(key) || key.startsWith(RESERVED_PREFIX)) {
      throw new WebhookFailure("bad_header", `The header ${name} cannot be set: the coordinator sets it.`);
    }
    if (filled.has(key)) {
      throw new WebhookFailure("bad_header", `The header ${name} is given twice, in different letters.`);
    }
    const value = fillHeader(name, text, variables);
    if (!isValid(() => validateHeaderValue(name, value))) {
      throw new WebhookFailure(
        "bad_header",
        `The header ${name} cannot be sent: its value, with the variables filled in, has a line break or another character that headers cannot have.`,
      );
    }
    filled.set(key, value);
  }
  return Object.fromEntries(filled);
}

function isValid(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
