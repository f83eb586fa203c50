import { validateHeaderValue } from "node:http";
import { SIGNATURE_HEADER, SIGNATURE_SEPARATOR, signature, TIMESTAMP_HEADER } from "./signature.ts";
import type { WebhookCall } from "./webhook-call.ts";

/** The version of this package. */
const USER_AGENT = "tenterhook/0.1.0";

/**
 * The headers that every webhook has. They are made anew for each attempt, because the signature contains the time; the
 * idempotency key stays. Throws a `TypeError` for a key that cannot be used. `now` is in milliseconds since 1970.
 */
export function ownHeaders(
  body: Buffer,
  { idempotencyKey, hookType, isTrial }: Pick<WebhookCall, "idempotencyKey" | "hookType" | "isTrial">,
  signingKeys: readonly string[],
  now: number,
): Record<string, string> {
  if (signingKeys.length === 0 || signingKeys.includes("")) {
    throw new TypeError("The key that webhooks are signed with is empty.");
  }
  validateHeaderValue("idempotency-key", idempotencyKey);
  const timestamp = String(Math.floor(now / 1_000));
  return {
    accept: "application/json",
    // Compression is not requested: a small response could expand to a large one.
    "accept-encoding": "identity",
    "content-type": "application/json",
    "idempotency-key": idempotencyKey,
    "tenterhook-hook": hookType,
    ...(isTrial === true && { "tenterhook-trial": "true" }),
    [TIMESTAMP_HEADER]: timestamp,
    [SIGNATURE_HEADER]: signingKeys.map((key) => signature(key, timestamp, body)).join(SIGNATURE_SEPARATOR),
    "user-agent": USER_AGENT,
  };
}
