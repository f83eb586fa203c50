import { lstatSync } from "node:fs";
import { systemCode } from "@tenterhook/internal";

/** Whether an error says that nothing is at a path. Any other error says nothing about what is there. */
export function isNotFound(error: unknown): boolean {
  const code = systemCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** The same for a file whose content must not be lost: a link that leads nowhere is not missing, because its target may come back. */
export function isMissing(path: string, error: unknown): boolean {
  if (!isNotFound(error)) return false;
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return true;
  }
}
