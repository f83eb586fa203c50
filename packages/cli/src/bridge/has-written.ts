import { statSync } from "node:fs";
import { isResident, type ResidentFiles } from "@tenterhook/bridges/resident";
import { readProcessAge } from "./process-age.ts";

/** By how much the start of a process may seem later than it was. */
const CLOCK_MS = 50;

/**
 * Whether a process of this user has written the file `about` of a resident process: its command names the folder, and it has run since
 * before. A later one has the number of one that has ended.
 */
export function hasWritten(pid: number, files: ResidentFiles): boolean {
  try {
    if (!isResident(pid, files.folder) || statSync(`/proc/${pid}`).uid !== process.getuid?.()) return false;
    const age = readProcessAge(pid);
    return age !== undefined && Date.now() - age <= statSync(files.about).mtimeMs + CLOCK_MS;
  } catch {
    return false;
  }
}
