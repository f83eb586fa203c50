import { constants } from "node:fs";
import { type FileHandle, open, readlink } from "node:fs/promises";
import { pathFailure } from "./failure.ts";
import type { WorkFolder } from "./work-folder.ts";

// Between the check of a path and its use, one of its folders may be replaced by a link. An open handle cannot be replaced, so both
// functions check the path that the kernel has for the handle. Only Linux provides it (/proc/self/fd). On other systems, and
// without /proc, the race remains: a link at the end of the path is still refused (O_NOFOLLOW), one further up is followed.

/** Throws `outside_work_folder` if the opened file is not in the folder; returns false if the kernel's path is unknown. */
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
 * Calls `use` with a path that keeps leading to the same folder, even if the folder is moved or replaced by a link in the meantime.
 * `path` names it in errors.
 */
export async function inOpenedFolder<T>(
  folder: WorkFolder,
  real: string,
  path: string,
  use: (opened: string) => Promise<T>,
): Promise<T> {
  let handle: FileHandle | undefined;
  try {
    // Windows cannot open folders.
    if (process.platform === "win32") return await use(real);
    handle = await open(real, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    const isVerified = await verifyOpenedPath(folder, handle, path);
    return await use(isVerified ? `/proc/self/fd/${handle.fd}` : real);
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
