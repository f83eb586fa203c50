import { readFileSync } from "node:fs";

/** Whether a process runs, of this user or another. One that was killed and whose parent has not asked for its exit code does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** A coding agent may never ask for the exit code of what it killed, so that the process exists as long as the agent. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
