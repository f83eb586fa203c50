/** Sums by name for the first so many names; those of all others are one. */
export class BoundedSums<S> {
  readonly #most: number;
  readonly #other: string;
  readonly #make: () => S;
  readonly #sums = new Map<string, S>();

  constructor(most: number, other: string, make: () => S) {
    this.#most = most;
    this.#other = other;
    this.#make = make;
  }

  get(name: string): S {
    const known = this.#sums.get(name);
    if (known !== undefined) return known;
    if (this.#sums.size >= this.#most && name !== this.#other) return this.get(this.#other);
    const made = this.#make();
    this.#sums.set(name, made);
    return made;
  }

  has(name: string): boolean {
    return this.#sums.has(name);
  }

  [Symbol.iterator](): IterableIterator<[string, S]> {
    return this.#sums.entries();
  }
}

export function compareNames(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
