/** Lets loops sleep until something has changed. Whoever wakes up looks for itself what it was. */
export class Changes {
  readonly #sleepers = new Set<() => void>();

  tell(): void {
    for (const wake of [...this.#sleepers]) wake();
  }

  /** The next change, or the signal. It never rejects. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const wake = () => {
        this.#sleepers.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#sleepers.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}
