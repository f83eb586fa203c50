import { setTimeout as pause } from "node:timers/promises";

export interface UntilOptions {
  /** What is waited for, for the error. */
  readonly what: string;
  readonly limitMs?: number;
  readonly everyMs?: number;
}

/** Waits until a condition is true. Throws when the limit, by default two minutes, has passed before. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  { what, limitMs = 120_000, everyMs = 50 }: UntilOptions,
): Promise<void> {
  const limit = performance.now() + limitMs;
  while (!(await isTrue())) {
    if (performance.now() > limit) throw new Error(`${what}: not so after ${limitMs / 1_000} s`);
    await pause(everyMs);
  }
}
