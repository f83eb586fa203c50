import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Ends a process that leads a group, with all of its group. */
export function endGroup(pid: number | undefined): void {
  try {
    process.kill(-(pid ?? Number.NaN), "SIGKILL");
  } catch {
    // It has ended.
  }
}

/**
 * Ends what a client left behind: on a terminal it leads a session of its own, and Codex copies itself into its home and starts a server
 * from there.
 */
export function endProgramsIn(folder: string): void {
  const pids = existsSync("/proc") ? readdirSync("/proc").map(Number).filter(Boolean) : [];
  for (const pid of pids) {
    try {
      const [program, cwd] = [readFileSync(`/proc/${pid}/cmdline`, "utf8"), readlinkSync(`/proc/${pid}/cwd`)];
      if ([program, `${cwd}/`].some((path) => path.startsWith(`${folder}/`))) process.kill(pid, "SIGKILL");
    } catch {
      // It has ended, or is of another user.
    }
  }
}
