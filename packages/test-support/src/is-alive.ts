import { existsSync, readFileSync } from "node:fs";

/** Whether a process runs. One that has ended, and that its parent has not waited for yet, does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !(existsSync("/proc/self/stat") && readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z "));
  } catch {
    return false;
  }
}
