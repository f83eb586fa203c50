import type { ResidentFiles } from "@tenterhook/bridges/resident";
import { hasWritten } from "./has-written.ts";
import { readProcessStat } from "./process-stat.ts";

/**
 * Ends a resident process that was stopped (SIGSTOP): it takes no call, and every call would wait for it. `pid`: the process of `about`.
 * Returns whether it was ended.
 */
export function endIfStopped(pid: number, files: ResidentFiles): boolean {
  if (readProcessStat(pid)?.state !== "T" || !hasWritten(pid, files)) return false;
  process.kill(pid, "SIGKILL");
  return true;
}
