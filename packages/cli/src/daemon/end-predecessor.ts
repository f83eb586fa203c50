import type { ResidentFiles } from "@tenterhook/bridges/resident";
import { hasWritten } from "../bridge/has-written.ts";
import { readProcessStat } from "../bridge/process-stat.ts";

/** How long calls have to end after a signal. */
export const LAST_CALLS_END_MS = 30_000;
/** A process that can still do anything has ended itself by then. */
const KILL_MS = LAST_CALLS_END_MS + 5_000;

/**
 * Returns how to end a resident process that does not respond, once another one has its place: one that is only slow answers the calls that
 * it has and ends, and one that hangs is killed later. Identified now, by the file `about` that it has written.
 */
export function findPredecessor(pid: number, files: ResidentFiles): { end(): void } | undefined {
  const start = readProcessStat(pid)?.start;
  if (start === undefined || !hasWritten(pid, files)) return undefined;
  const signal = (name: NodeJS.Signals) => {
    try {
      // A later process can have the same number.
      if (readProcessStat(pid)?.start === start) process.kill(pid, name);
    } catch {
      // It has ended.
    }
  };
  return {
    end() {
      signal("SIGTERM");
      setTimeout(signal, KILL_MS, "SIGKILL").unref();
    },
  };
}
