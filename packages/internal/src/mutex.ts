/** A lock that is given to its callers in the order in which they asked. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when the caller has the lock, with the function that releases it. */
  async lock(): Promise<() => void> {
    const before = this.#last;
    let release: () => void = () => {};
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }
}
