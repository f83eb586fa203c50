import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { giveToParentOwner } from "./parent-owner.ts";

/**
 * Makes a folder and those above it; true when it did not exist. Throws where it cannot be made. Node's own `recursive` never
 * returns where the system denies that a parent exists although it does, below /proc for instance.
 */
export function makeFolders(folder: string, mode = 0o700): boolean {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  const above = dirname(folder);
  if (!existsSync(above)) makeFolders(above, mode);
  try {
    mkdirSync(folder, { mode });
    giveToParentOwner(folder);
    return true;
  } catch (error) {
    // Another process made it meanwhile.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
    throw error;
  }
}
