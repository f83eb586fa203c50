/** Hands the events of a stream over to its reader while they are produced. */
export class EventQueue<T> {
  #events: T[] = [];
  #isEnded = false;
  #wake: () => void = () => {};

  push(event: T): void {
    this.#events.push(event);
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  /** Whether the reader has left, or the stream has ended. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        const events = this.#events;
        this.#events = [];
        yield* events;
        if (this.#events.length > 0) continue;
        if (this.#isEnded) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.#isEnded = true;
    }
  }
}
