import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { systemCode } from "@tenterhook/internal";
import { pathFailure } from "./failure.ts";
import { inOpenedFolder } from "./opened-path.ts";
import { requireRegular } from "./regular-file.ts";
import type { WorkFolder } from "./work-folder.ts";

/**
 * Replaces the contents of a file atomically: readers see the old or the new contents, and a failure leaves the old ones. Creates
 * missing folders, and keeps the permissions of an existing file. `real` is its real path, `path` names it in errors. Returns whether
 * the file is new.
 */
export async function replaceFile(
  folder: WorkFolder,
  real: string,
  path: string,
  content: string,
): Promise<{ readonly isNew: boolean }> {
  try {
    await writable(real, path);
    // If a folder is replaced by a link at this moment, empty folders may be created at its target; no file is written there.
    await mkdir(dirname(real), { recursive: true });
  } catch (error) {
    throw pathFailure(error, path);
  }
  return inOpenedFolder(folder, dirname(real), path, async (opened) => {
    const target = join(opened, basename(real));
    const before = await writable(target, path);
    const fresh = join(opened, `.tenterhook-${randomUUID()}`);
    try {
      await writeNew(fresh, content, before);
      // A rename replaces a link and does not follow it.
      await rename(fresh, target);
    } catch (error) {
      await rm(fresh, { force: true });
      throw error;
    }
    return { isNew: before === undefined };
  });
}

/** The existing file, if there is one; throws if it is not a writable regular file. */
async function writable(real: string, path: string): Promise<Stats | undefined> {
  let stats: Stats;
  try {
    stats = await lstat(real);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
  requireRegular(stats, path);
  // A rename would also replace a read-only file.
  await access(real, constants.W_OK);
  return stats;
}

async function writeNew(path: string, content: string, before: Stats | undefined): Promise<void> {
  const handle = await open(path, "wx", before === undefined ? 0o666 : 0o600);
  try {
    await handle.writeFile(content);
    // Only the permission bits: a setuid file must not keep that bit with contents that a model wrote.
    if (before !== undefined) await handle.chmod(before.mode & 0o777);
    // Without this, a crash may leave an empty file.
    await handle.sync();
  } finally {
    await handle.close();
  }
}
