import { LONGEST_TIMER_MS } from "@tenterhook/protocol/support";
/** Waits for something, but not for longer; tells whether it came in time. */
export async function within(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, Math.min(timeoutMs, LONGEST_TIMER_MS), false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
