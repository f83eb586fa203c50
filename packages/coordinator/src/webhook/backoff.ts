const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * How long to wait after a failed attempt (1, 2, …): twice as long each time, and up to half of it less by chance, so that
 * many calls that failed together do not come back together. A receiver that asks for longer gets it.
 */
export function pauseAfter(attempt: number, askedMs: number, random: () => number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return Math.max(askedMs, longest * (1 - random() / 2));
}

/** What a `Retry-After` header asks for, in seconds or as a date; 0 for none that can be read. */
export function askedPauseMs(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
