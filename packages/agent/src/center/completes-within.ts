import { pause } from "@tenterhook/protocol/support";

/** Waits for work to complete, for at most this long; returns whether it did. */
export async function completesWithin(timeoutMs: number, work: Promise<unknown>): Promise<boolean> {
  const done = new AbortController();
  try {
    return await Promise.race([work.then(() => true), pause(timeoutMs, done.signal).then(() => false)]);
  } finally {
    done.abort();
  }
}
