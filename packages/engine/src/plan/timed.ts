import { preciseNow } from "../clock/clock.ts";
import { quietStop } from "./unrolled.ts";

type Handle = (context: never) => unknown;

/**
 * What the last timed run recorded: when the first hook started, and when each one ended. Hooks follow each other at once,
 * so one reading is the end of a hook and the start of the next. Read at once, like `quietStop`.
 */
export const timedStop: { moments: readonly number[] } = { moments: [] };

/** A quiet run that reads the clock between hooks; see `QuietRun`. */
export type TimedRun = (context: never) => unknown;

/** Writes out a timed run as one straight function, for the reason that `unrolled` does. */
export function timedUnrolled(handles: readonly Handle[]): TimedRun {
  const names = handles.map((_, index) => `h${index}`);
  const calls = handles.map(
    (_, index) =>
      `r = h${index}(c); if (r !== undefined) { s.index = ${index}; t.moments = m; return r; } m[${index + 1}] = now(); i = ${index + 1};`,
  );
  const source = `return (c) => {
    let i = 0, r;
    const m = [now(), ${handles.map(() => "0").join(", ")}];
    try { ${calls.join(" ")} } catch (e) { s.index = i; t.moments = m; throw e; }
    t.moments = m;
  };`;
  try {
    // Only numbers go into the source; the hooks are arguments.
    return new Function("s", "t", "now", ...names, source)(
      quietStop,
      timedStop,
      preciseNow,
      ...handles,
    ) as TimedRun;
  } catch {
    return timedLoop(handles);
  }
}

/** The same as a loop. */
export function timedLoop(handles: readonly Handle[]): TimedRun {
  return (context) => {
    let index = 0;
    const moments = [preciseNow()];
    try {
      for (const handle of handles) {
        const answer = handle(context);
        if (answer !== undefined) {
          quietStop.index = index;
          return answer;
        }
        moments.push(preciseNow());
        index++;
      }
    } catch (error) {
      quietStop.index = index;
      throw error;
    } finally {
      timedStop.moments = moments;
    }
    return undefined;
  };
}
