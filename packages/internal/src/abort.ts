/** Something that is aborted like an `AbortSignal`, and calls its listeners itself. */
export interface Abortable {
  readonly aborted: boolean;
  readonly reason: unknown;
  /** Calls a listener when it is aborted; not called when it is aborted already. Returns the function that removes the listener. */
  onAbort(listener: () => void): () => void;
}

/**
 * Calls a listener when a signal fires, or at once when it has fired already. Returns a function that removes the listener,
 * which `AbortSignal.any` leaves to the garbage collector: a signal may live for years.
 */
export function onAbort(signal: AbortSignal | Abortable | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    listener();
    return () => {};
  }
  return "onAbort" in signal ? signal.onAbort(listener) : listenersTo(signal).add(listener);
}

/** One listener of a signal for any number of others, such as calls that wait: Node takes more than ten for a leak. */
class AbortListeners {
  readonly #signal: AbortSignal;
  readonly #listeners = new Set<() => void>();
  readonly #abort = () => {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        // As for listeners of the signal itself: it ends the process, and the others are called.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
    this.#listeners.clear();
  };

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Returns a function that removes the listener. */
  add(listener: () => void): () => void {
    if (this.#listeners.size === 0) this.#signal.addEventListener("abort", this.#abort, { once: true });
    // A function of its own: the same listener may have been added before.
    const call = () => listener();
    this.#listeners.add(call);
    return () => {
      this.#listeners.delete(call);
      if (this.#listeners.size === 0) this.#signal.removeEventListener("abort", this.#abort);
    };
  }
}

const allListeners = new WeakMap<AbortSignal, AbortListeners>();

function listenersTo(signal: AbortSignal): AbortListeners {
  const known = allListeners.get(signal);
  if (known !== undefined) return known;
  const listeners = new AbortListeners(signal);
  allListeners.set(signal, listeners);
  return listeners;
}

/** A controller that aborts when a signal does, with its reason, or by itself. `release` removes the listener. */
export function linkedController(signal: AbortSignal | undefined): {
  readonly controller: AbortController;
  release(): void;
} {
  const controller = new AbortController();
  const release = onAbort(signal, () => controller.abort(signal?.reason));
  return { controller, release };
}

/** Waits for a promise, and rejects with the signal's reason as soon as that fires. The work behind the promise continues. */
export function orAborted<T>(promise: PromiseLike<T>, signal: AbortSignal | Abortable): Promise<T> {
  return new Promise((resolve, reject) => {
    const release = onAbort(signal, () => reject(signal.reason));
    promise.then(
      (value) => {
        release();
        resolve(value);
      },
      (error: unknown) => {
        release();
        reject(error);
      },
    );
  });
}
