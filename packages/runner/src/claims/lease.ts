/** Time to end the work, processes included, and for clocks that differ a little. */
const LEAST_MARGIN_MS = 1_500;

/**
 * How long a run may continue after the last renewal of its lease: shorter than the lease, because when that expires the run may
 * start on another machine, and must have ended on this one.
 */
export function patienceMs(leaseMs: number): number {
  return leaseMs - Math.min(leaseMs / 2, Math.max(LEAST_MARGIN_MS, leaseMs / 5));
}

/** The lease on one run, as the runner knows it. `lapsed` is called once, shortly before it may expire. */
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

  /** `askedAt` is when the renewal was requested, not when it was answered: it may have been granted at any time in between. */
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
