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
  return "onAbort" in signal ? signal.onAbort(listener) : listenTo(signal, listener);
}

/** Who is to be called once something is aborted. */
export class AbortListeners {
  readonly #listeners = new Set<() => void>();

  get size(): number {
    return this.#listeners.size;
  }

  /** Returns a function that removes the listener. */
  add(listener: () => void): () => void {
    // A function of its own: the same listener may have been added before.
    const call = () => listener();
    this.#listeners.add(call);
    return () => void this.#listeners.delete(call);
  }

  call(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        // As for listeners of a signal: it ends the process, and the others are called.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
    this.#listeners.clear();
  }
}

/** One listener of a signal for any number of others, such as calls that wait: Node takes more than ten for a leak. */
const listenersOf = new WeakMap<
  AbortSignal,
  { readonly listeners: AbortListeners; readonly call: () => void }
>();

function listenTo(signal: AbortSignal, listener: () => void): () => void {
  let known = listenersOf.get(signal);
  if (known === undefined) {
    const listeners = new AbortListeners();
    known = { listeners, call: () => listeners.call() };
    listenersOf.set(signal, known);
  }
  const { listeners, call } = known;
  if (listeners.size === 0) signal.addEventListener("abort", call, { once: true });
  const remove = listeners.add(listener);
  return () => {
    remove();
    if (listeners.size === 0) signal.removeEventListener("abort", call);
  };
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
