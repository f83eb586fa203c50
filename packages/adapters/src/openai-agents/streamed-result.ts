import type { StreamedRunResult } from "./sdk.ts";

/**
 * Ends the run of a streamed result: whoever waits for the result, or reads its events to the end, waits for the events at the end of
 * the run too, and gets their error. `fail` returns the error that the caller gets.
 */
export function endStream(
  result: StreamedRunResult,
  end: () => Promise<void>,
  fail: (error: unknown) => Promise<unknown>,
  isStoppedByHook: () => boolean,
): StreamedRunResult {
  const completed = result.completed.then(async () => {
    if (!result.cancelled) return end();
    const error = await fail(new DOMException("aborted", "AbortError"));
    // A stream that its reader aborted just ends.
    if (isStoppedByHook()) throw error;
  });
  const ended = completed.catch(async (error: unknown) => {
    throw await fail(error);
  });
  // Somebody who only reads the events does not wait for it.
  ended.catch(() => {});
  const iterate = result[Symbol.asyncIterator].bind(result);
  async function* read(): AsyncGenerator<unknown, void, undefined> {
    try {
      yield* { [Symbol.asyncIterator]: iterate };
    } catch {
      // `ended` has the error that the caller gets.
    }
    await ended;
  }
  return Object.defineProperties(result, {
    completed: { get: () => ended },
    [Symbol.asyncIterator]: { value: read },
  });
}
