import type { IncomingMessage } from "node:http";
import { BoundedMap } from "@tenterhook/internal";
import { Problem } from "../problem.ts";
import { readCredential } from "./authenticate.ts";
import type { ClientAddress } from "./client-address.ts";
import type { KnownTokens } from "./known-tokens.ts";

/** Requests without a known token, by address: so many at once, and so many a second after that. */
export interface AnonymousRate {
  readonly burst: number;
  readonly perSecond: number;
}

/** A page that is not signed in loads a few dozen files, and a probe sends a request a second. */
export const DEFAULT_ANONYMOUS_RATE: AnonymousRate = { burst: 500, perSecond: 50 };

const MAX_ADDRESSES = 10_000;

interface Allowance {
  left: number;
  at: number;
}

/**
 * Limits requests that are not known to carry a valid token. A token that is known lifts the limit, and one that is not is
 * looked up also beyond it: it may have been made on another coordinator a moment ago. Those look-ups have a limit of their own.
 */
export class AnonymousLimit {
  readonly #tokens: KnownTokens;
  readonly #addressOf: ClientAddress;
  readonly #rate: AnonymousRate;
  readonly #allowances = new BoundedMap<string, Allowance>(MAX_ADDRESSES);

  constructor(tokens: KnownTokens, addressOf: ClientAddress, rate: AnonymousRate) {
    this.#tokens = tokens;
    this.#addressOf = addressOf;
    this.#rate = rate;
  }

  /** Why a request is refused, if it is. Most requests are decided at once. */
  check(incoming: IncomingMessage): Problem | undefined | Promise<Problem | undefined> {
    const credential = readCredential(incoming);
    if (credential !== undefined && this.#tokens.isKnown(credential.secret)) return undefined;
    const address = this.#addressOf(incoming);
    if (this.#take(address)) return undefined;
    const problem = tooMany(address, incoming, this.#rate);
    if (credential === undefined) return problem;
    return this.#tokens.identifyBeyondLimit(credential.secret, credential.via).then(
      (identity) => (identity === undefined ? problem : undefined),
      (error: unknown) => (error instanceof Problem ? error : problem),
    );
  }

  #take(address: string): boolean {
    const { burst, perSecond } = this.#rate;
    const now = performance.now();
    const allowance = this.#allowances.get(address) ?? { left: burst, at: now };
    // Deleted and set again, so that the address that was quiet for the longest time is forgotten first.
    this.#allowances.delete(address);
    this.#allowances.set(address, allowance);
    allowance.left = Math.min(allowance.left + ((now - allowance.at) * perSecond) / 1_000, burst);
    allowance.at = now;
    if (allowance.left < 1) return false;
    allowance.left--;
    return true;
  }
}

function tooMany(address: string, { headers }: IncomingMessage, { perSecond }: AnonymousRate): Problem {
  const isForwarded = headers["x-forwarded-for"] !== undefined;
  return new Problem(
    "too_many_requests",
    `more than ${perSecond} requests a second without a valid token came from ${address}`,
    {
      hint: isForwarded
        ? "Send a valid token. If that is the address of your proxy, start the coordinator with --trust-proxy."
        : "Send a valid token with every request, or wait.",
    },
  );
}
