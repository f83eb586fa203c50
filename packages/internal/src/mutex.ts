/** A lock that is given to its callers in the order in which they asked. */
export class Mutex {
  #isLocked = false;
  readonly #waiting: ((unlock: () => void) => void)[] = [];

  /** Resolves when the caller has the lock, with the function that releases it. */
  lock(): Promise<() => void> {
    const unlock = this.tryLock();
    if (unlock !== undefined) return Promise.resolve(unlock);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Locks it at once if it is free. */
  tryLock(): (() => void) | undefined {
    if (this.#isLocked) return undefined;
    this.#isLocked = true;
    return this.#createUnlock();
  }

  /** The lock of one caller: releasing it again does nothing. */
  #createUnlock(): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#isLocked = false;
      else next(this.#createUnlock());
    };
  }
}
