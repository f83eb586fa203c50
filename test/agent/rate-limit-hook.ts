import { type Hook, type HookContext, type HookNext, HookOutcome } from "@tenterhook/agent/builder";

export class RateLimiter {
  #calls = 0;
  check(most: number): boolean {
    return this.#calls < most;
  }
  increment(): void {
    this.#calls++;
  }
}

/** The class of the requirement document. */
export class RateLimitHook implements Hook {
  readonly #limiter: RateLimiter;
  readonly #maxCallsPerMinute: number;

  constructor(limiter: RateLimiter, maxCallsPerMinute: number) {
    this.#limiter = limiter;
    this.#maxCallsPerMinute = maxCallsPerMinute;
  }

  handle(context: HookContext, next: HookNext) {
    if (!this.#limiter.check(this.#maxCallsPerMinute)) {
      return HookOutcome.block("Rate limit exceeded");
    }

    this.#limiter.increment();
    return next(context);
  }
}
