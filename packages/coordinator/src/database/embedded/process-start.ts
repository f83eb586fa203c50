import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * When a process started, in whatever unit the system has: together with its number this names one process and no later one.
 * `undefined` when it does not run, `"unknown"` when it does and the system does not say more.
 */
export function processStart(pid: number): string | undefined {
  if (!isRunning(pid)) return undefined;
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process may not be asked, but it is there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name, in parentheses, and may contain both; then come state (3rd) and start (22nd).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const isZombie = fields[0] === "Z" || fields[0] === "X";
    return isZombie ? undefined : (fields[19] ?? "unknown");
  } catch (error) {
    const isGone =
      error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH");
    return isGone ? undefined : "unknown";
  }
}

function fromPs(pid: number): string {
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    encoding: "utf8",
    env: { LC_ALL: "C" },
  });
  return stdout?.trim().replace(/\W+/g, "-") || "unknown";
}
