import { createHmac } from "node:crypto";

/** The headers by which a receiver verifies that a webhook is the coordinator's, and new. */
export const TIMESTAMP_HEADER = "tenterhook-timestamp";
export const SIGNATURE_HEADER = "tenterhook-signature";

/** Between the signatures of two keys, while one replaces the other. */
export const SIGNATURE_SEPARATOR = " ";

/**
 * Signs a body: `v1=` and the hex HMAC-SHA-256 of `timestamp.body`. The time is signed too, so that a recorded
 * webhook cannot be sent again later. `timestamp` is in seconds since 1970.
 */
export function signature(key: string, timestamp: string, body: string | Uint8Array): string {
  const hmac = createHmac("sha256", key).update(`${timestamp}.`).update(body);
  return `v1=${hmac.digest("hex")}`;
}
