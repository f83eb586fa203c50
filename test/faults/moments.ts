interface Waiting {
  readonly name: string;
  left: number;
  readonly reached: (who: string) => void;
}

/** Counts what happens, by name, so that a fault can come at the k-th time of something and not after some time. */
export class Moments {
  readonly #waiting = new Set<Waiting>();

  tell(name: string, who = ""): void {
    for (const waiting of [...this.#waiting]) {
      if (waiting.name === name && --waiting.left <= 0) waiting.reached(who);
    }
  }

  /** Resolves when something has happened so many times from now on, to whom it happened; when it does not, to nothing. */
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
