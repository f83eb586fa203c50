import { closeSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { readPlainFile } from "@tenterhook/file-hooks";
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
    if (Date.now() - begun > longestWaitMs) throw new Error(`another process of tenterhook holds ${path}`);
    await pause(20);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryLock(path: string): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, "wx", 0o600);
    writeSync(file, String(process.pid));
    return true;
  } catch (error) {
    // On a full disk the file is there without the number of its process.
    if (file !== undefined || isAbandoned(path)) rmSync(path, { force: true });
    // The error of a write does not name the file.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw Object.assign(error as Error, { path });
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function isAbandoned(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (Date.now() - stats.mtimeMs > STALE_MS) return true;
  try {
    const pid = Number(readPlainFile(path));
    if (!(pid > 0)) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
