/** When the hooks of a run started and ended, in one list of numbers: an object for each would cost more than the hook. */
export class Times {
  readonly #moments: readonly number[];
  /** How far apart the starts of two hooks are: 1 where each one starts when the one before it ends, else 2. */
  readonly #step: 1 | 2;

  constructor(moments: readonly number[], step: 1 | 2) {
    this.#moments = moments;
    this.#step = step;
  }

  startOf(index: number): number {
    return this.#moments[index * this.#step] ?? 0;
  }

  durationOf(index: number): number {
    return (this.#moments[index * this.#step + 1] ?? 0) - this.startOf(index);
  }
}
