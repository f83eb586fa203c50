import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pathFailure, systemCode } from "./failure.ts";
import { inOpenedFolder } from "./opened-path.ts";
import { requireRegular } from "./regular-file.ts";
import type { WorkFolder } from "./work-folder.ts";

/**
 * Gives a file new contents, all at once: whoever reads it sees the old or the new, and a failure leaves the old. Makes
 * the folders on its way, and keeps the permissions of a file that exists. `real` is its real path, `path` what errors
 * call it. Says whether the file is new.
 */
export async function replaceFile(
  folder: WorkFolder,
  real: string,
  path: string,
  content: string,
): Promise<{ readonly isNew: boolean }> {
  try {
    await writable(real, path);
    // Should somebody put a link on the way just now, empty folders may be made where it leads; nothing is written there.
    await mkdir(dirname(real), { recursive: true });
  } catch (error) {
    throw pathFailure(error, path);
  }
  return inOpenedFolder(folder, dirname(real), path, async (held) => {
    const target = join(held, basename(real));
    const before = await writable(target, path);
    const fresh = join(held, `.tenterhook-${randomUUID()}`);
    try {
      await writeNew(fresh, content, before);
      // A rename replaces what has the name, even a link; it never follows it.
      await rename(fresh, target);
    } catch (error) {
      await rm(fresh, { force: true });
      throw error;
    }
    return { isNew: before === undefined };
  });
}

/** What has this path now, if anything; throws when it is not a file that may be written. */
async function writable(real: string, path: string): Promise<Stats | undefined> {
  let stats: Stats;
  try {
    stats = await lstat(real);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
  requireRegular(stats, path);
  // A rename does not ask whether the file it replaces is read-only.
  await access(real, constants.W_OK);
  return stats;
}

async function writeNew(path: string, content: string, before: Stats | undefined): Promise<void> {
  const handle = await open(path, "wx", before === undefined ? 0o666 : 0o600);
  try {
    await handle.writeFile(content);
    // The permissions only: a file that ran with its owner's rights must not do so with contents that a model wrote.
    if (before !== undefined) await handle.chmod(before.mode & 0o777);
    // Else a crash soon after may leave an empty file under the name.
    await handle.sync();
  } finally {
    await handle.close();
  }
}
