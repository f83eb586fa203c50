import type { Page } from "playwright-core";

/** What the computation below takes on a usual machine that does nothing else, in milliseconds. */
const USUAL_MS = 30;

/**
 * How many times slower a page computes now than on a usual machine, at least 1: on a slow processor, or beside other programs. What
 * limits the time of a page is multiplied by it.
 */
export async function slowness(page: Page): Promise<number> {
  // The first round is compiled meanwhile; of the others the slowest counts.
  const slowest = await page.evaluate<number>(`{
    const times = Array.from({ length: 6 }, () => {
      const begin = performance.now();
      const words = new Map();
      for (let n = 0; n < 200_000; n++) words.set("word " + (n % 5_000), n);
      return performance.now() - begin;
    });
    Math.max(...times.slice(1));
  }`);
  return Math.max(1, slowest / USUAL_MS);
}
