import { readFileSync } from "node:fs";

/**
 * How long this thread has been at work, in milliseconds. A bound on work should not depend on what else the machine is
 * doing; where the system does not tell, it is the time that has passed.
 */
export function threadTimeMs(): number {
  try {
    const [nanoseconds] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    return performance.now();
  }
}
