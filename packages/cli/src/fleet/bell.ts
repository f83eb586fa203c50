/** Something that one waits for, and that may have rung before. */
export class Bell {
  #hasRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  /** Waits until it rings, or so long, or until the signal fires. */
  async rung(mostMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#hasRung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        const timer = setTimeout(wake, mostMs);
        signal.addEventListener("abort", wake);
        this.#wake = wake;
      });
    }
    this.#hasRung = false;
    this.#wake = undefined;
  }
}
