import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, type FileHandle, lstat, mkdir, open, readlink, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { systemCode } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { pathFailure } from "./built-in-tool.ts";
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
function requireRegular(stats: Stats, path: string): void {
  if (stats.isFile()) return;
  const what = stats.isDirectory() ? "a folder" : "a link, device, socket or pipe, not a regular file";
  throw new TenterhookError("tool_failed", `"${path}" is ${what}.`);
}

/** Reads to the end, regardless of the reported size: the file may grow, and some files report zero. */
async function readAll(handle: FileHandle, path: string): Promise<Buffer> {
  const { size } = await handle.stat();
  const chunks: Buffer[] = [];
  let total = 0;
  // Not as a stream, which takes twice as long for a small file.
  for (let room = Math.min(size, MAX_FILE_BYTES) + 1; total <= MAX_FILE_BYTES; room = 65_536) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(room));
    if (bytesRead === 0) return Buffer.concat(chunks);
    chunks.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
  }
  const message = `"${path}" has ${Math.max(size, total)} bytes; files of more than ${MAX_FILE_BYTES} are not read.`;
  throw new TenterhookError("tool_failed", message, { hint: "Read parts of it with a command." });
}

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

const lastByKey = new Map<string, Promise<unknown>>();

/**
 * Runs functions with the same key one after another, in the order of their calls. Models request several edits of one file in one
 * step, and each must see the result of the one before it.
 */
export function withLock<T>(key: string, run: () => Promise<T>): Promise<T> {
  const current = (lastByKey.get(key) ?? Promise.resolve()).then(run, run);
  lastByKey.set(key, current);
  const cleanUp = (): void => {
    if (lastByKey.get(key) === current) lastByKey.delete(key);
  };
  void current.then(cleanUp, cleanUp);
  return current;
}

/** The bytes of a regular file that is text. */
export async function readTextFile(folder: WorkFolder, real: string, path: string): Promise<Buffer> {
  const bytes = await readRegularFile(folder, real, path);
  if (isBinary(bytes)) throw new TenterhookError("tool_failed", `"${path}" is a binary file, not text.`);
  return bytes;
}

/** How many bytes are searched for a NUL byte. */
const BINARY_CHECK_BYTES = 8_192;

/** Files with NUL bytes are binary; that includes UTF-16. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, BINARY_CHECK_BYTES).includes(0);
}

/** Text for reading: no byte order mark, `\n` as line end, replacement characters for invalid UTF-8. */
export function readableText(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes);
  return hasCrlf(text) ? text.replaceAll("\r\n", "\n") : text;
}

/** Text for editing: written back unchanged, it has the same bytes. Throws for invalid UTF-8. */
export function exactText(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const message = `"${path}" is not UTF-8; writing it back would damage it.`;
    throw new TenterhookError("tool_failed", message, { cause });
  }
}

/** Whether every line ends with `\r\n`. In a file with mixed line ends they are kept as they are. */
export function hasCrlf(text: string): boolean {
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text);
}

/** The start of a text, without half of a surrogate pair, which some model providers reject. */
export function beginning(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
