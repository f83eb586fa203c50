/**
 * A signal that fires once. An `AbortController` does the same, and loads a good part of Node's web interfaces for it, which a
 * tool call would wait for.
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

  /** As the engine takes it: of a signal it uses what is here. */
  get asSignal(): AbortSignal {
    return this as unknown as AbortSignal;
  }
}
