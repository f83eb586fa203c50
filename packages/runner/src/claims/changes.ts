/** Lets loops sleep until something has changed. Whoever wakes up looks for itself what it was. */
export class Changes {
  readonly #sleepers = new Set<() => void>();

  tell(): void {
    for (const wake of [...this.#sleepers]) wake();
  }

  /** The next change, the signal, or the end of the time, whichever is first. It never rejects. */
  next(signal: AbortSignal, timeoutMs?: number): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const wake = () => {
        clearTimeout(timer);
        this.#sleepers.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(wake, timeoutMs);
      this.#sleepers.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}
