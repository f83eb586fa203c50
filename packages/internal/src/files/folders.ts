import { existsSync, lchownSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Whether a path leads to a folder; it never throws. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/**
 * Makes a folder and those above it; true when it did not exist. Throws where it cannot be made. Node's own `recursive` never
 * returns where the system denies that a parent exists although it does, below /proc for instance.
 */
export function makeFolders(folder: string, mode = 0o700): boolean {
  if (isFolder(folder)) return false;
  const above = dirname(folder);
  if (!existsSync(above)) makeFolders(above, mode);
  try {
    mkdirSync(folder, { mode });
    giveToParentOwner(folder);
    return true;
  } catch (error) {
    // Another process made it meanwhile.
    if (isFolder(folder)) return false;
    throw error;
  }
}

/**
 * Gives a new file or folder to the owner of the folder that it is in. Only root needs this: with the HOME of another user, as `sudo`
 * can have it, that user could not use what root leaves there. A file system that refuses it is left as it is.
 */
export function giveToParentOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  try {
    const { uid, gid } = statSync(dirname(path));
    if (uid !== 0) lchownSync(path, uid, gid);
  } catch {
    // The owner is not known in this namespace, or the file system has no owners.
  }
}
