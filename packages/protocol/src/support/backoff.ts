export interface BackoffOptions {
  /** Default 200. */
  readonly firstMs?: number;
  /** Default 5,000. */
  readonly mostMs?: number;
  /** From 0 up to 1. Default `Math.random`. */
  readonly random?: () => number;
}

/**
 * How long to wait before the next attempt: twice as long each time, up to a limit, and by chance up to half less, so that
 * clients that failed together do not all retry at the same moment.
 */
export class Backoff {
  readonly #firstMs: number;
  readonly #mostMs: number;
  readonly #random: () => number;
  #failures = 0;

  constructor({ firstMs = 200, mostMs = 5_000, random = Math.random }: BackoffOptions = {}) {
    this.#firstMs = firstMs;
    this.#mostMs = mostMs;
    this.#random = random;
  }

  nextMs(): number {
    const whole = Math.min(this.#mostMs, this.#firstMs * 2 ** this.#failures);
    // The exponent stays small however many attempts fail.
    if (whole < this.#mostMs) this.#failures++;
    return whole - (whole / 2) * this.#random();
  }

  reset(): void {
    this.#failures = 0;
  }
}

/** What a `Retry-After` header asks for, in seconds or as a date; 0 for none that can be read. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const seconds = Number(header);
  const delay = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now;
  return Number.isFinite(delay) ? Math.max(0, delay) : 0;
}
