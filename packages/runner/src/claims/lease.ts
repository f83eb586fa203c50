/** For ending what is under way, processes included, and for clocks that run a little apart. */
const LEAST_MARGIN_MS = 1_500;

/**
 * How long a run may go on after its lease was last renewed: shorter than the lease, because when that ends the run may
 * begin on another machine, and must have ended on this one.
 */
export function patienceMs(leaseMs: number): number {
  return leaseMs - Math.min(leaseMs / 2, Math.max(LEAST_MARGIN_MS, leaseMs / 5));
}

/** The lease on one run, as this side knows it. `lapsed` is called once, shortly before it may end. */
export class Lease {
  readonly #patienceMs: number;
  readonly #lapsed: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(leaseMs: number, lapsed: () => void) {
    this.#patienceMs = patienceMs(leaseMs);
    this.#lapsed = lapsed;
    this.renew(performance.now());
  }

  /** `askedAt` is when the renewal was asked for, not when it was answered: nobody knows when in between it was given. */
  renew(askedAt: number): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#isOver = true;
        this.#lapsed();
      },
      Math.max(0, askedAt + this.#patienceMs - performance.now()),
    );
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
