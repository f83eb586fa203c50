import { readFileSync } from "node:fs";
import { readProcessStat } from "./process-stat.ts";

/**
 * How long a process has run, in milliseconds, at most 10 too many. `uptime`: how long the system has. `undefined` without /proc, or if it
 * has ended.
 */
export function readProcessAge(pid: number, uptime = readUptime()): number | undefined {
  const { start = Number.NaN } = readProcessStat(pid) ?? {};
  const age = (uptime ?? Number.NaN) - start * 10;
  return Number.isFinite(age) ? Math.max(0, age) : undefined;
}

/** How long the system has run, in milliseconds; `undefined` without /proc. */
export function readUptime(): number | undefined {
  try {
    return Number.parseFloat(readFileSync("/proc/uptime", "utf8")) * 1_000;
  } catch {
    return undefined;
  }
}
