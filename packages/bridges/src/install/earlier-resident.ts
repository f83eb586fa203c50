import { existsSync, lstatSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { pause } from "@tenterhook/internal";

/** It removes its socket as soon as it is to end. One that has not done so within this time hangs. */
const RESPONSE_MS = 5_000;
const CHECK_MS = 20;

/**
 * Ends the process that an earlier version kept to answer calls, and removes its folder. It answers the calls that it has first, which is
 * not waited for. Does nothing if the folder is not the user's alone.
 */
export async function endEarlierResident(folder: string, uid: number): Promise<void> {
  if (!isOwn(dirname(folder), uid) || !isOwn(folder, uid)) return;
  try {
    // One line: the process, and two secrets.
    const pid = Number.parseInt(readFileSync(join(folder, "about"), "utf8"), 10);
    if (isResident(pid, folder)) await endProcess(pid, folder);
  } catch {
    // It has ended meanwhile, or never ran.
  }
  rmSync(folder, { recursive: true, force: true });
}

async function endProcess(pid: number, folder: string): Promise<void> {
  const until = performance.now() + RESPONSE_MS;
  process.kill(pid, "SIGTERM");
  // One that was stopped does not handle a signal until it continues.
  process.kill(pid, "SIGCONT");
  while (existsSync(join(folder, "socket")) && isResident(pid, folder)) {
    if (performance.now() >= until) {
      process.kill(pid, "SIGKILL");
      return;
    }
    await pause(CHECK_MS);
  }
}

/** Whether a process is that of a folder; the number in the file `about` could be another process's by now. */
function isResident(pid: number, folder: string): boolean {
  try {
    return `${readFileSync(`/proc/${pid}/cmdline`, "utf8")}\0`.includes(`\0${folder}\0`);
  } catch {
    return false;
  }
}

function isOwn(folder: string, uid: number): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === uid && (stats.mode & 0o7777) === 0o700;
}
