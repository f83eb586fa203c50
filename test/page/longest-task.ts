import { isRecord } from "@tenterhook/internal";
import type { Page } from "playwright-core";

/**
 * The longest task of a page's main thread while something happens, in milliseconds of the thread's own time: other programs of
 * the machine do not count.
 */
export async function longestTask(page: Page, meanwhile: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("The page has no browser.");
  await browser.startTracing(page, { categories: ["-*", "disabled-by-default-devtools.timeline"] });
  let trace: Buffer;
  try {
    await meanwhile();
  } finally {
    trace = await browser.stopTracing();
  }
  return longestOf(JSON.parse(trace.toString()));
}

function longestOf(trace: unknown): number {
  const events: unknown[] = isRecord(trace) && Array.isArray(trace.traceEvents) ? trace.traceEvents : [];
  const found = events.filter(isRecord);
  const isMain = ({ name, args }: Record<string, unknown>) =>
    name === "thread_name" && isRecord(args) && args.name === "CrRendererMain";
  const mainThreads = new Set(found.filter(isMain).map(({ pid, tid }) => `${pid} ${tid}`));
  // `tdur` is in microseconds of the thread's own time; a task that was under way when the trace ended has none.
  const times = found.flatMap(({ name, pid, tid, tdur }) =>
    name === "RunTask" && typeof tdur === "number" && mainThreads.has(`${pid} ${tid}`) ? [tdur / 1_000] : [],
  );
  if (times.length === 0) throw new Error("The trace has no tasks of a page.");
  return times.reduce((longest, time) => Math.max(longest, time));
}
