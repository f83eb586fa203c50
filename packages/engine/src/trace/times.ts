/**
 * When the hooks of a run started and ended, in one list of numbers: an object for each would cost more than the hook. Each
 * starts when the one before it ends.
 */
export class Times {
  readonly #moments: readonly number[];

  constructor(moments: readonly number[]) {
    this.#moments = moments;
  }

  startOf(index: number): number {
    return this.#moments[index] ?? 0;
  }

  durationOf(index: number): number {
    return (this.#moments[index + 1] ?? 0) - this.startOf(index);
  }
}
