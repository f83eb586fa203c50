/**
 * Calls a listener when a signal fires, or at once when it has fired already. Returns a function that removes the listener,
 * which `AbortSignal.any` leaves to the garbage collector: a signal may live for years.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted) listener();
  else signal?.addEventListener("abort", listener, { once: true });
  return () => signal?.removeEventListener("abort", listener);
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
export function orAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
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
