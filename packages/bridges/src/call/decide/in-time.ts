import type { OpenCall } from "../read/read-call.ts";

/** How much of its time a call has left, in milliseconds. */
export function timeLeft({ call: { waitingSince }, deadlineMs }: OpenCall): number {
  const now = performance.now();
  return Math.max(0, deadlineMs - (now - (waitingSince ?? now)));
}

/** The result of the work, or of `late` when the time is up first; the work is then aborted. */
export async function inTime<T>(
  leftMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  late: () => T,
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<T>((resolve) => {
    timer = setTimeout(() => {
      resolve(late());
      controller.abort("the client gives no more time");
    }, leftMs);
  });
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
  }
}
