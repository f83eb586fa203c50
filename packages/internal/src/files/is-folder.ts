import { statSync } from "node:fs";

/** Whether a path leads to a folder; it never throws. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
