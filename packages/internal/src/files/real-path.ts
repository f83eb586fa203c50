import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";

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
