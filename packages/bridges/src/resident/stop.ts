import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findFolderProblem, residentFiles } from "./folder.ts";
import { readAbout } from "./read-about.ts";

/** Ends the resident process of a folder, and removes the folder. Does nothing if the folder is not the user's alone. */
export function stopResident(folder: string, uid: number): void {
  if (
    findFolderProblem(join(folder, ".."), uid) !== undefined ||
    findFolderProblem(folder, uid) !== undefined
  )
    return;
  const about = readAbout(residentFiles(folder));
  try {
    if (about !== undefined && isResident(about.pid, folder)) process.kill(about.pid, "SIGTERM");
  } catch {
    // None runs.
  }
  rmSync(folder, { recursive: true, force: true });
}

/** Whether a process is the resident process of a folder; a number in the file `about` could be another process's by now. */
export function isResident(pid: number, folder: string): boolean {
  try {
    return `${readFileSync(`/proc/${pid}/cmdline`, "utf8")}\0`.includes(`\0${folder}\0`);
  } catch {
    return false;
  }
}
