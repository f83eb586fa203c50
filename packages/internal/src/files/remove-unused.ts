import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** A session without a write for this long is over, and a copy that no process used for this long is of a hook that is gone. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Removes the folders in a folder that were not changed for 30 days. */
export function removeUnused(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const stats = statSync(path);
      if (stats.isDirectory() && Date.now() - stats.mtimeMs > KEPT_MS)
        rmSync(path, { recursive: true, force: true });
    }
  } catch {
    // Another process may be removing the same ones.
  }
}
