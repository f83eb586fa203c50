import { timingSafeEqual } from "node:crypto";
import { SIGNATURE_HEADER, SIGNATURE_SEPARATOR, signature, TIMESTAMP_HEADER } from "./signature.ts";

/** A request's headers, as `node:http` or as `fetch` has them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the sender's clock and ours may differ, transmission included. Default: 300. */
  readonly toleranceSeconds?: number;
  /** The time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

const DEFAULT_TOLERANCE_SECONDS = 300;

/** More than the coordinator ever sends. */
const MAX_SIGNATURES = 8;

/**
 * For receivers: whether a webhook was signed with the key, or one of several, not long ago. `rawBody` is the received body, byte
 * for byte, before it was parsed. Throws a `TypeError` for an empty key, with which anyone can sign, and for no key;
 * nothing in a request makes it throw.
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  key: string | readonly string[],
  options: VerifyOptions = {},
): boolean {
  const keys = [key].flat();
  if (keys.length === 0 || keys.includes("")) {
    throw new TypeError("The key that webhooks are signed with is empty.");
  }
  const { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = Date.now } = options;
  const timestamp = readHeader(headers, TIMESTAMP_HEADER);
  const given = readHeader(headers, SIGNATURE_HEADER);
  if (timestamp === undefined || given === undefined || !/^\d{1,12}$/.test(timestamp)) return false;
  // Written so that a tolerance that is not a number accepts nothing.
  if (!(Math.abs(now() / 1_000 - Number(timestamp)) <= toleranceSeconds)) return false;
  const signatures = given.split(SIGNATURE_SEPARATOR, MAX_SIGNATURES);
  return keys.some((each) => {
    const expected = signature(each, timestamp, rawBody);
    return signatures.some((one) => isSame(one, expected));
  });
}

/** A header that was sent once; several of them are no better than none. */
function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  const value = found.length === 1 ? found[0]?.[1] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** Takes equally long wherever the difference is. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
