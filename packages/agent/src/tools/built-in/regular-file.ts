import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { TenterhookError } from "@tenterhook/protocol";
import { pathFailure } from "./failure.ts";
import { verifyOpenedPath } from "./opened-path.ts";
import type { WorkFolder } from "./work-folder.ts";

/** The maximum size of a file: 10 MiB. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

// Windows has neither flag, and no FIFOs in its folders.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/**
 * The bytes of a regular file. Folders, FIFOs, sockets and devices are refused without blocking, and so is a file that, once opened,
 * is not in the folder. `real` is its real path, `path` names it in errors.
 */
export async function readRegularFile(folder: WorkFolder, real: string, path: string): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    // Before it is opened, because opening a device can have effects.
    requireRegular(await lstat(real), path);
    // Without O_NONBLOCK, opening a FIFO that replaced the file at this moment would block forever.
    handle = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    requireRegular(await handle.stat(), path);
    await verifyOpenedPath(folder, handle, path);
    return await readAll(handle, path);
  } catch (error) {
    throw pathFailure(error, path);
  } finally {
    await handle?.close();
  }
}

/** Throws unless it is a regular file. */
export function requireRegular(stats: Stats, path: string): void {
  if (stats.isFile()) return;
  const what = stats.isDirectory() ? "a folder" : "a link, device, socket or pipe, not a regular file";
  throw new TenterhookError("tool_failed", `"${path}" is ${what}.`);
}

/** Reads to the end, regardless of the reported size: the file may grow, and some files report zero. */
async function readAll(handle: FileHandle, path: string): Promise<Buffer> {
  const { size } = await handle.stat();
  const chunks: Buffer[] = [];
  let total = 0;
  for (let want = Math.min(size, MAX_FILE_BYTES) + 1; ; want = 65_536) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(want), 0, want, null);
    if (bytesRead === 0) return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    chunks.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
    if (total > MAX_FILE_BYTES) throw tooLarge(path, Math.max(size, total));
  }
}

function tooLarge(path: string, size: number): TenterhookError {
  const message = `"${path}" has ${size} bytes; files of more than ${MAX_FILE_BYTES} are not read.`;
  return new TenterhookError("tool_failed", message, { hint: "Read parts of it with a command." });
}
