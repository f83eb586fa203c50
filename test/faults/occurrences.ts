interface Waiting {
  readonly name: string;
  left: number;
  readonly reached: (who: string) => void;
}

/** Counts named occurrences, so that a fault can be injected at the k-th one instead of after some time. */
export class Occurrences {
  readonly #waiting = new Set<Waiting>();

  record(name: string, who = ""): void {
    for (const waiting of [...this.#waiting]) {
      if (waiting.name === name && --waiting.left <= 0) waiting.reached(who);
    }
  }

  /** Resolves at the given number of occurrences from now on, to their `who`; to undefined after the time limit. */
  after(name: string, times: number, limitMs: number): Promise<string | undefined> {
    return new Promise((resolve) => {
      const done = (who?: string) => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        resolve(who);
      };
      const timer = setTimeout(done, limitMs);
      const waiting: Waiting = { name, left: times, reached: done };
      this.#waiting.add(waiting);
    });
  }
}
