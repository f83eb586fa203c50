import { readFileSync } from "node:fs";

/** How long a process has run, in milliseconds, at most 10 too many. `undefined` without /proc, or if it has ended. */
export function readProcessAge(pid: number): number | undefined {
  try {
    const [now = Number.NaN] = readFileSync("/proc/uptime", "utf8").split(" ").map(Number);
    const age = now * 1_000 - (readProcessStart(pid) ?? Number.NaN) * 10;
    return Number.isFinite(age) ? Math.max(0, age) : undefined;
  } catch {
    return undefined;
  }
}

/** When a process was started, in hundredths of a second since the system was. `undefined` without /proc, or if it has ended. */
export function readProcessStart(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain anything. The start is field 22.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
  } catch {
    return undefined;
  }
}
