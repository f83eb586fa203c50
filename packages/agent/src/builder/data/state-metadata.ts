type Bag = Readonly<Record<string, unknown>>;

/**
 * What the hooks of a run know of each other: a view of the run's one bag, with the changes of this copy on top. Reading sees
 * what is in the bag now. A change reaches the bag when a hook proceeds with it, and then it is that key that is written: other
 * hooks may have written theirs meanwhile.
 */
export class StateMetadata {
  readonly #bag: Bag;
  readonly #changes: ReadonlyMap<string, unknown>;

  constructor(bag: Bag = {}, changes: ReadonlyMap<string, unknown> = new Map()) {
    this.#bag = bag;
    this.#changes = changes;
  }

  get(key: string): unknown;
  /** The value, or the default where there is none. The default says which type is expected; it is not checked. */
  get<T>(key: string, fallback: T): T;
  get(key: string, fallback?: unknown): unknown {
    const value = this.#changes.has(key) ? this.#changes.get(key) : ownValue(this.#bag, key);
    return value === undefined ? fallback : value;
  }

  has(key: string): boolean {
    return this.#changes.has(key) || Object.hasOwn(this.#bag, key);
  }

  /** A copy in which this is set. */
  with(key: string, value: unknown): StateMetadata {
    return new StateMetadata(this.#bag, new Map([...this.#changes, [key, value]]));
  }

  /** What to write so that whoever looks at `earlier` sees what is seen here. */
  changesSince(earlier: StateMetadata): ReadonlyMap<string, unknown> {
    if (this.#bag === earlier.#bag) return this.#changes;
    return new Map([...Object.entries(this.#bag), ...this.#changes]);
  }

  toJSON(): Bag {
    return { ...this.#bag, ...Object.fromEntries(this.#changes) };
  }
}

/** A key like `constructor` is a key, not what every object has. */
function ownValue(bag: Bag, key: string): unknown {
  return Object.hasOwn(bag, key) ? bag[key] : undefined;
}
