import { lchownSync, statSync } from "node:fs";
import { dirname } from "node:path";

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
