/**
 * A signal that fires once. An `AbortController` would do, but loads many of Node's web interfaces, and every tool call would wait
 * for that.
 */
export class LightSignal implements Pick<AbortSignal, "aborted" | "reason"> {
  aborted = false;
  reason: unknown = undefined;
  readonly #listeners = new Set<() => void>();

  addEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners) listener();
  }

  /** The engine uses only the members that this class has. */
  get asSignal(): AbortSignal {
    return this as unknown as AbortSignal;
  }
}
