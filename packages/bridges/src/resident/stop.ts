import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pause } from "@tenterhook/internal";
import { findFolderProblem, type ResidentFiles, residentFiles } from "./folder.ts";
import { readAbout } from "./read-about.ts";

/** A resident process removes its socket as soon as it is to end. One that has not done so within this time hangs. */
const RESPONSE_MS = 5_000;
const CHECK_MS = 20;

/**
 * Ends the resident process of a folder, and removes the folder. One that responds answers the calls that it has first, which is not waited
 * for. Does nothing if the folder is not the user's alone.
 */
export async function stopResident(folder: string, uid: number): Promise<void> {
  if (
    findFolderProblem(join(folder, ".."), uid) !== undefined ||
    findFolderProblem(folder, uid) !== undefined
  )
    return;
  const files = residentFiles(folder);
  const about = readAbout(files);
  try {
    if (about !== undefined) await endProcess(about.pid, files);
  } catch {
    // It has ended meanwhile.
  }
  rmSync(folder, { recursive: true, force: true });
}

async function endProcess(pid: number, { folder, socket }: ResidentFiles): Promise<void> {
  const until = performance.now() + RESPONSE_MS;
  if (!isResident(pid, folder)) return;
  process.kill(pid, "SIGTERM");
  // One that was stopped does not handle a signal until it continues.
  process.kill(pid, "SIGCONT");
  while (existsSync(socket) && isResident(pid, folder)) {
    if (performance.now() >= until) {
      process.kill(pid, "SIGKILL");
      return;
    }
    await pause(CHECK_MS);
  }
}

/** Whether a process is the resident process of a folder; a number in the file `about` could be another process's by now. */
export function isResident(pid: number, folder: string): boolean {
  try {
    return `${readFileSync(`/proc/${pid}/cmdline`, "utf8")}\0`.includes(`\0${folder}\0`);
  } catch {
    return false;
  }
}
