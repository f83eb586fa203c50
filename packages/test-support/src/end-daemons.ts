import { readdirSync, readFileSync } from "node:fs";

/**
 * Ends every resident process whose command names a file or folder below `root`. It has an environment of its own, so nothing else says
 * to which test it belongs. Does nothing where the system has no `/proc`.
 */
export function endDaemons(root: string): void {
  for (const pid of findDaemons(root)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** The resident processes whose command names a file or folder below `root`, or `root` itself. */
export function findDaemons(root: string): readonly number[] {
  if (process.platform !== "linux") return [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      const isDaemon = command.includes("daemon") && command.includes("--folder");
      return isDaemon && command.some((word) => word === root || word.startsWith(`${root}/`));
    } catch {
      return false;
    }
  });
}
