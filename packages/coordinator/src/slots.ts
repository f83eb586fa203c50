/** Limits how many calls run at a time. Further ones wait, in the order in which they came. */
export class Slots {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(atOnce: number, mostWaiting = Number.POSITIVE_INFINITY) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** Whether a call could neither run nor wait. */
  get isFull(): boolean {
    return this.#running >= this.#atOnce && this.#waiting.length >= this.#mostWaiting;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs a call when there is a slot for it. It waits also if `isFull`, which is the caller's to check. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running++;
    // The slot of the call that ends is passed on.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await call();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
