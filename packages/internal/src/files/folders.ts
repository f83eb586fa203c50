import {
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";

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
