import type { OpenCall } from "../read/open-call.ts";

/** How much of its time a call has left, in milliseconds. */
export function timeLeft({ call: { waitingSince }, deadlineMs }: OpenCall): number {
  const now = performance.now();
  return Math.max(0, deadlineMs - (now - (waitingSince ?? now)));
}

/**
 * The result of the work, or of `late` when the time is up first; the work is then aborted. It is aborted by `cancelled` too, and the
 * promise is rejected with the reason of that.
 */
export async function inTime<T>(
  leftMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  late: () => T,
  cancelled?: AbortSignal,
): Promise<T> {
  cancelled?.throwIfAborted();
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let cancel: (() => void) | undefined;
  const ended = new Promise<T>((resolve, reject) => {
    timer = setTimeout(() => {
      resolve(late());
      controller.abort("the client gives no more time");
    }, leftMs);
    cancel = () => {
      reject(cancelled?.reason);
      controller.abort("the client no longer waits");
    };
    cancelled?.addEventListener("abort", cancel);
  });
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    if (cancel !== undefined) cancelled?.removeEventListener("abort", cancel);
  }
}
