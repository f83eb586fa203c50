import { constants } from "node:fs";
import { type FileHandle, open, readlink } from "node:fs/promises";
import { pathFailure } from "./failure.ts";
import type { WorkFolder } from "./work-folder.ts";

// Between the check of a path and its use, a folder on its way may have been replaced by a link. What is open cannot be
// replaced, so both functions look at what was opened, by the path that the kernel knows it by. Only Linux tells
// (/proc/self/fd). Elsewhere, and where /proc is not mounted, that moment remains: a link at the path's very end is
// still refused (O_NOFOLLOW), one further up is followed.

/** Throws `outside_work_folder` when what was opened is not in the folder after all; `false` when nobody can tell. */
export async function verifyOpenedPath(
  folder: WorkFolder,
  handle: FileHandle,
  path: string,
): Promise<boolean> {
  const real = await kernelPath(handle);
  if (real === undefined) return false;
  folder.require(real, path);
  return true;
}

/**
 * Calls `use` with a path by which a folder can be worked in, and still can, and still is the same folder, when somebody
 * moves it or puts a link in its place meanwhile. `path` is what errors call it.
 */
export async function inOpenedFolder<T>(
  folder: WorkFolder,
  real: string,
  path: string,
  use: (held: string) => Promise<T>,
): Promise<T> {
  let handle: FileHandle | undefined;
  try {
    // Windows opens no folders.
    if (process.platform === "win32") return await use(real);
    handle = await open(real, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    const isHeld = await verifyOpenedPath(folder, handle, path);
    return await use(isHeld ? `/proc/self/fd/${handle.fd}` : real);
  } catch (error) {
    throw pathFailure(error, path);
  } finally {
    await handle?.close();
  }
}

async function kernelPath(handle: FileHandle): Promise<string | undefined> {
  if (process.platform !== "linux") return undefined;
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch {
    return undefined;
  }
}
