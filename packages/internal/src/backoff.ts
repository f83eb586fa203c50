export interface BackoffOptions {
  /** Default 200. */
  readonly firstMs?: number;
  /** Default 5,000. */
  readonly mostMs?: number;
  /** From 0 up to 1. Default `Math.random`. */
  readonly random?: () => number;
}

/** How long to wait after so many failures before the last one. */
export function backoffMs(
  failures: number,
  { firstMs = 200, mostMs = 5_000, random = Math.random }: BackoffOptions = {},
): number {
  const whole = Math.min(mostMs, firstMs * 2 ** failures);
  return whole - (whole / 2) * random();
}

/**
 * How long to wait before the next attempt: twice as long each time, up to a limit, and by chance up to half less, so that
 * clients that failed together do not all retry at the same moment.
 */
export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(options: BackoffOptions = {}) {
    this.#options = options;
  }

  nextMs(): number {
    return backoffMs(this.#failures++, this.#options);
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
