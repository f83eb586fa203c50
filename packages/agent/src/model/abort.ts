import { isInstanceOf, onAbort, orAborted } from "@tenterhook/internal";

/**
 * Runs work with its own signal, and rejects with an `AbortError` as soon as the given signal fires, even if the work ignores it.
 * The work's own signal fires then too, and when the work fails, so that remaining resources, such as the connection of a broken
 * stream, are released.
 */
export async function abortable<T>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw abortError(signal.reason);
  const own = new AbortController();
  const release = onAbort(signal, () => own.abort(abortError(signal.reason)));
  try {
    return await orAborted(work(own.signal), own.signal);
  } catch (error) {
    own.abort();
    throw error;
  } finally {
    release();
  }
}

/** The error of an aborted call, for any abort reason: named `AbortError`, with the reason as its cause. */
export function abortError(reason: unknown): Error {
  if (isInstanceOf(reason, Error) && reason.name === "AbortError") return reason;
  return new DOMException("The model call was aborted.", { name: "AbortError", cause: reason });
}
