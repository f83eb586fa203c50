import { isInstanceOf, onAbort } from "@tenterhook/internal";

/**
 * Runs work with its own signal, and rejects with an `AbortError` as soon as the given signal fires, even if the work ignores it.
 * The work's own signal fires then too, and when the work fails, so that remaining resources, such as the connection of a broken
 * stream, are released.
 */
export function abortable<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  if (signal.aborted) return Promise.reject(abortError(signal.reason));
  return new Promise((resolve, reject) => {
    const own = new AbortController();
    const abort = () => {
      const error = abortError(signal.reason);
      own.abort(error);
      reject(error);
    };
    const release = onAbort(signal, abort);
    work(own.signal).then(
      (value) => {
        release();
        resolve(value);
      },
      (error: unknown) => {
        release();
        own.abort();
        reject(error);
      },
    );
  });
}

/** The error of an aborted call, for any abort reason: named `AbortError`, with the reason as its cause. */
export function abortError(reason: unknown): Error {
  if (isInstanceOf(reason, Error) && reason.name === "AbortError") return reason;
  return new DOMException("The model call was aborted.", { name: "AbortError", cause: reason });
}
