import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { messageOf, systemCode } from "@tenterhook/internal";

/** Whether a path leads to a folder; it never throws. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/**
 * Makes a folder and those above it; true when it did not exist. Throws where it cannot be made. Node's own `recursive` never
 * returns where the system denies that a parent exists although it does, below /proc for instance.
 */
export function makeFolders(folder: string, mode = 0o700): boolean {
  if (isFolder(folder)) return false;
  const above = dirname(folder);
  if (!existsSync(above)) makeFolders(above, mode);
  try {
    mkdirSync(folder, { mode });
    giveToParentOwner(folder);
    return true;
  } catch (error) {
    // Another process made it meanwhile.
    if (isFolder(folder)) return false;
    throw error;
  }
}

/**
 * Gives a new file or folder to the owner of the folder that it is in. Only root needs this: with the HOME of another user, as `sudo`
 * can have it, that user could not use what root leaves there. A file system that refuses it is left as it is.
 */
export function giveToParentOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  try {
    const { uid, gid } = statSync(dirname(path));
    if (uid !== 0) lchownSync(path, uid, gid);
  } catch {
    // The owner is not known in this namespace, or the file system has no owners.
  }
}

/** A path without symbolic links. Of what does not exist, the part that does is resolved; it never throws. */
export function realPath(path: string): string {
  const missing: string[] = [];
  for (let current = resolve(path); ; current = dirname(current)) {
    try {
      return join(realpathSync.native(current), ...missing);
    } catch {
      if (dirname(current) === current) return resolve(path);
      missing.unshift(basename(current));
    }
  }
}

/**
 * A folder and all that it lies in, each without symbolic links. Each level is looked at once: a working directory can be some
 * thousand levels deep, and to resolve every one of them from the root takes minutes.
 */
export function realFoldersAround(path: string): readonly string[] {
  const absolute = resolve(path);
  const { root } = parse(absolute);
  const folders = [root];
  let current = root;
  for (const name of absolute.slice(root.length).split(sep).filter(Boolean)) {
    const next = join(current, name);
    current = isLink(next) ? realPath(next) : next;
    folders.push(current);
  }
  return folders;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Whether a path is a folder or lies in it; both as they are written. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

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

/** No file that is kept between two processes is nearly as large. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Opens a file for reading, and closes it after `use`. It never blocks: without O_NONBLOCK, a pipe in the file's place would keep a
 * client waiting until its timeout, after which most clients let the call run. `use` decides by `stats` what it accepts.
 */
export function withOpenFile<R>(path: string, use: (file: number, stats: Stats) => R, flags = 0): R {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags);
  try {
    return use(file, fstatSync(file));
  } finally {
    closeSync(file);
  }
}

/** The text of a file. Throws when it is not a plain file, or too large. */
export function readPlainFile(path: string): string {
  return readPlainBytes(path).toString("utf8");
}

/** The bytes of a file. Throws when it is not a plain file, or too large. */
export function readPlainBytes(path: string): Buffer {
  return withOpenFile(path, (file, stats) => {
    if (!stats.isFile()) throw new Error(`${path} is not a file`);
    if (stats.size > MAX_BYTES) throw new Error(`${path} is larger than ${MAX_BYTES} bytes`);
    return readFileSync(file);
  });
}

/** Writes a file that only the user can read, and the folders that it is in. Other processes see the old content or the new one. */
export function replacePlainFile(path: string, content: string | Uint8Array): void {
  makeFolders(dirname(path));
  // Two processes have the same number where each has a container of its own.
  const draft = `${path}.${process.pid}-${process.hrtime()[1]}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: "wx" });
    giveToParentOwner(draft);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** A hooks.toml is a few lines; more than this is not read. */
const MAX_SMALL_BYTES = 64 * 1024;

/** Most are smaller. A buffer for the longest would take longer to make than the file to read. */
const USUAL_BYTES = 4 * 1024;

/** A text file, or why it is none. */
export type SmallText =
  | { readonly text: string }
  | {
      readonly problem: string;
      /** It could not be read, and may be readable the next moment without being changed. */
      readonly mayPass?: true;
    };

/**
 * Reads a small text file; `undefined` when there is none. It never throws and never waits: the file may be a pipe, a
 * device or a folder, and of any size.
 */
export function readSmallText(path: string): SmallText | undefined {
  try {
    return withOpenFile(path, (file, stats) => {
      if (!stats.isFile()) return { problem: "it is not a file" };
      const bytes = readStart(file, USUAL_BYTES);
      const all = bytes.length < USUAL_BYTES ? bytes : readStart(file, MAX_SMALL_BYTES + 1);
      if (all.length > MAX_SMALL_BYTES) return { problem: `it is larger than ${MAX_SMALL_BYTES / 1024} KiB` };
      return { text: all.toString("utf8") };
    });
  } catch (error) {
    return isNotFound(error)
      ? undefined
      : { problem: `it cannot be read: ${messageOf(error)}`, mayPass: true };
  }
}

/** The first bytes of a file, at most so many. */
function readStart(file: number, most: number): Buffer {
  const buffer = Buffer.allocUnsafe(most);
  return buffer.subarray(0, readSync(file, buffer, 0, most, 0));
}

/**
 * A checksum of a text with 32 bits: it shows damage and edits by hand, but does not protect against a program that forges it. A change of
 * one word is always seen, because every step can be undone. Not by `node:crypto`, which takes longer to load than this takes for the cache of
 * a thousand hooks; by words of four bytes, because a process that has just started runs such a loop slowly.
 */
export function checksum(text: string): string {
  const length = Buffer.byteLength(text);
  const words = new Int32Array((length + 3) >> 2);
  Buffer.from(words.buffer).write(text);
  let sum = length;
  // Times 31, without a call for each word.
  for (let at = 0; at < words.length; at++) sum = ((sum << 5) - sum + (words[at] ?? 0)) | 0;
  return (sum >>> 0).toString(16).padStart(LENGTH, "0");
}

const LENGTH = 8;

/** A text with its checksum before it. `about` is what it belongs to: it is part of the checksum, not of the text. */
export function withChecksum(text: string, about = ""): string {
  return `${checksum(`${about}${text}`)}${text}`;
}

/** The text without its checksum; `undefined` when that is not the right one. */
export function checkedText(stored: string, about = ""): string | undefined {
  const text = stored.slice(LENGTH);
  return checksum(`${about}${text}`) === stored.slice(0, LENGTH) ? text : undefined;
}

/**
 * Shows whether a file has changed without reading it. The change time, unlike the modification time, cannot
 * be set back by a program, and every write, rename and change of mode moves it on. Two numbers rather than a text: a
 * thousand of them are compared before every event.
 */
export interface Signature {
  readonly ino: number;
  readonly ctimeMs: number;
}

/** Of a file that exists but cannot be reached, so that it is found and reported. */
export const UNREACHABLE: Signature = { ino: -1, ctimeMs: -1 };

/** Of a file that must be read again although it seems unchanged: it is the same as no other, and not as itself. */
export const ALWAYS_NEW: Signature = { ino: Number.NaN, ctimeMs: Number.NaN };

const QUIETLY = { throwIfNoEntry: false } as const;

/** The signature of a path; `undefined` when nothing exists there. */
export function signatureOf(path: string): Signature | undefined {
  try {
    return statSync(path, QUIETLY);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOTDIR" ? undefined : UNREACHABLE;
  }
}

/** A change within the same tick of the file system's clock does not move the change time on. */
const TICK_MS = 50;

/** The tick of file systems that store whole seconds, such as FAT. */
const LONG_TICK_MS = 2_000;

/**
 * Whether every change after `now` will show: a signature from the current tick proves nothing, and neither does that of a path that
 * cannot be reached. What is read between must be read after `now`.
 */
export function isReliable({ ctimeMs }: Pick<Signature, "ctimeMs">, now = Date.now()): boolean {
  return ctimeMs >= 0 && now - ctimeMs > (ctimeMs % 1_000 === 0 ? LONG_TICK_MS : TICK_MS);
}

export function isSameSignature(a: Signature | undefined, b: Signature | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.ctimeMs === b.ctimeMs && a.ino === b.ino;
}
