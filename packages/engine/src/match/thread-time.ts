/** Node's file system where there is one: the engine also runs where there is none. */
const files = (globalThis as { process?: NodeJS.Process }).process?.getBuiltinModule?.("node:fs");

/**
 * How long this thread has been at work, in milliseconds. What is bounded by it does not depend on what else the machine is doing.
 * Where the system does not measure that, it is the time that has passed.
 */
export function threadTimeMs(): number {
  try {
    const [nanoseconds] = files?.readFileSync("/proc/thread-self/schedstat", "utf8").split(" ") ?? [];
    return nanoseconds === undefined ? performance.now() : Number(nanoseconds) / 1e6;
  } catch {
    return performance.now();
  }
}
