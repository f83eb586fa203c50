import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { pause } from "@tenterhook/protocol/support";

const LONGEST_WAIT_MS = 30_000;
/** An older lock is abandoned: no work under the lock takes as long. */
const STALE_MS = 60_000;

/** Runs `work` while no other process holds the lock. The lock of a process that was killed is ignored. */
export async function underLock<T>(
  path: string,
  work: () => T | Promise<T>,
  longestWaitMs = LONGEST_WAIT_MS,
): Promise<T> {
  const begun = Date.now();
  while (!tryLock(path)) {
    if (Date.now() - begun > longestWaitMs) throw new Error(`another installation is running (${path})`);
    await pause(20);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryLock(path: string): boolean {
  try {
    const file = openSync(path, "wx", 0o600);
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (isAbandoned(path)) rmSync(path, { force: true });
    return false;
  }
}

function isAbandoned(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (Date.now() - stats.mtimeMs > STALE_MS) return true;
  try {
    const pid = Number(readFileSync(path, "utf8"));
    if (!(pid > 0)) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
