/** Timers that are set for longer fire at once. */
const LONGEST_MS = 2_147_483_647;

/** Waits for something, but not for longer; tells whether it came in time. */
export async function within(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, Math.min(timeoutMs, LONGEST_MS), false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
