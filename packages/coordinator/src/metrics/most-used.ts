/** The name under which all others are counted. No hook or model has it: a name has no brackets. */
export const OTHER = "(other)";
/** So many names that are not among the most used are remembered for each that is. */
const CANDIDATES = 10;

/**
 * The names that get a series of their own: the most used ones, so that there are never more series than a limit, whatever is reported. A
 * name that becomes used twice as often as the least used of them takes its place: not each time that two are equally frequent, because a
 * series that begins or ends is a gap in a chart. What was counted under `(other)` stays there, so that no count ever falls.
 */
export class MostUsed {
  readonly #most: number;
  readonly #onRemoved: (name: string) => void;
  readonly #named = new Map<string, number>();
  readonly #candidates = new Map<string, number>();

  /** `onRemoved` is called with a name that has lost its place. */
  constructor(most: number, onRemoved: (name: string) => void) {
    this.#most = most;
    this.#onRemoved = onRemoved;
  }

  /** The name to count uses under: itself, or `(other)`. */
  choose(name: string, uses: number): string {
    const known = this.#named.get(name);
    if (known !== undefined || this.#named.size < this.#most) {
      this.#named.set(name, (known ?? 0) + uses);
      return name;
    }
    const total = (this.#candidates.get(name) ?? 0) + uses;
    const [least, leastUses] = findLeast(this.#named);
    if (total > 2 * leastUses) {
      this.#named.delete(least);
      this.#candidates.delete(name);
      this.#named.set(name, total);
      this.#onRemoved(least);
      return name;
    }
    this.#remember(name, total);
    return OTHER;
  }

  /** When there are too many, the least used half is forgotten: it has to begin again. */
  #remember(name: string, uses: number): void {
    this.#candidates.set(name, uses);
    if (this.#candidates.size <= CANDIDATES * this.#most) return;
    const byUse = [...this.#candidates].sort(([, a], [, b]) => a - b);
    for (const [rare] of byUse.slice(0, byUse.length >> 1)) this.#candidates.delete(rare);
  }
}

function findLeast(uses: ReadonlyMap<string, number>): readonly [name: string, uses: number] {
  let least: readonly [string, number] = ["", Number.POSITIVE_INFINITY];
  for (const [name, count] of uses) if (count < least[1]) least = [name, count];
  return least;
}
