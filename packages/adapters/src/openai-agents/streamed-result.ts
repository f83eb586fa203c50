import type { StreamedRunResult } from "./sdk.ts";

/**
 * Ends the run of a streamed result: whoever waits for the result, or reads its events to the end, waits for the events at the end of
 * the run too, and gets their error. `fail` returns the error that the caller gets.
 */
export function endStream(
  result: StreamedRunResult,
  end: () => Promise<void>,
  fail: (error: unknown) => Promise<unknown>,
): StreamedRunResult {
  const completed = result.completed.then(async () => {
    // An aborted stream just ends.
    if (result.cancelled) await fail(new DOMException("aborted", "AbortError"));
    else await end();
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
