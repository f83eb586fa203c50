import { readFileSync, statSync } from "node:fs";
import type { ResidentFiles } from "@tenterhook/bridges/resident";
import { readProcessAge } from "./process-age.ts";

/** By how much the start of a process may seem later than it was. */
const CLOCK_MS = 50;

/**
 * Ends a resident process that was stopped (SIGSTOP): it takes no call, and every call would wait for it. A slow one is left alone: it may
 * be answering other calls. `pid`: the process of `about` whose command names the folder. Returns whether it was ended.
 */
export function endIfStopped(pid: number, files: ResidentFiles): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in parentheses may contain anything.
  if (stat[stat.lastIndexOf(")") + 2] !== "T" || !hasWritten(pid, files)) return false;
  process.kill(pid, "SIGKILL");
  return true;
}

/** Whether a process is this user's, and has run since before `about` was written: a later one has the number of one that has ended. */
function hasWritten(pid: number, files: ResidentFiles): boolean {
  const age = readProcessAge(pid);
  if (age === undefined || statSync(`/proc/${pid}`).uid !== process.getuid?.()) return false;
  return Date.now() - age <= statSync(files.about).mtimeMs + CLOCK_MS;
}
