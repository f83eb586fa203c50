import { lstatSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { giveToParentOwner } from "./folders.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A session without a write for this long is over, and a copy that no process used for this long is of a hook that is gone. */
const KEPT_MS = 30 * DAY_MS;

/** Removes the folders in a folder that were not changed for 30 days. */
export function removeUnused(folder: string): void {
  for (const name of readNames(folder)) {
    try {
      const path = join(folder, name);
      const stats = statSync(path);
      if (stats.isDirectory() && Date.now() - stats.mtimeMs > KEPT_MS)
        rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process may be removing the same one.
    }
  }
}

/**
 * The same, at most once a day: to look at thousands of folders takes longer than a hook call may. An empty file beside the folder has the
 * time of the last removal.
 */
export function removeUnusedDaily(folder: string): void {
  const mark = `${folder}.swept`;
  try {
    const last = lstatSync(mark, { throwIfNoEntry: false })?.mtimeMs;
    // A clock may have been set back.
    if (last !== undefined && Math.abs(Date.now() - last) < DAY_MS) return;
    // Before the removal: another process need not do it too.
    if (last === undefined) writeFileSync(mark, "", { flag: "wx", mode: 0o600 });
    else utimesSync(mark, new Date(), new Date());
    giveToParentOwner(mark);
  } catch {
    // Where it cannot be written, the next one removes them again.
  }
  removeUnused(folder);
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
