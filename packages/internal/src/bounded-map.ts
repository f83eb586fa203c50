/** A map for caches: at its limit, a new entry replaces the oldest one. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override set(key: K, value: V): this {
    const [oldest] = this.size < this.#limit || this.has(key) ? [] : this.keys();
    if (oldest !== undefined) this.delete(oldest);
    return super.set(key, value);
  }
}
