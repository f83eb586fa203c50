export interface BackoffOptions {
  /** Default 200. */
  readonly firstMs?: number;
  /** Default 5,000: a lease is a few times that, and should still be there when the coordinator is back. */
  readonly mostMs?: number;
  /** From 0 up to 1. Default `Math.random`. */
  readonly random?: () => number;
}

/**
 * How long to wait before the next try: twice as long each time, up to a limit, and by chance up to half less, so that the
 * runners of a fleet do not all come back in the same moment.
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
    // The exponent stays small however long the coordinator is away.
    if (whole < this.#mostMs) this.#failures++;
    return whole - (whole / 2) * this.#random();
  }

  reset(): void {
    this.#failures = 0;
  }
}
