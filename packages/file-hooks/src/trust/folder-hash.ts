import { createHash } from "node:crypto";
import { constants, lstatSync, readdirSync, readlinkSync, readSync, realpathSync, type Stats } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { withOpenFile } from "@tenterhook/internal/files";
import { TenterhookError } from "@tenterhook/protocol";

/** A hook is a few small files; anything larger is not what a person looked at when they trusted it. */
const MAX_ENTRIES = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** A file or link in a hook's folder, as it was read. */
export interface FolderEntry {
  /** Relative to the folder. */
  readonly path: string;
  readonly kind: "file" | "link";
  readonly isExecutable: boolean;
  /** A file's bytes, or what a link points to. */
  readonly content: Buffer;
}

type Part = Omit<FolderEntry, "content">;

/**
 * The hash of everything in a hook's folder: names, contents, executable bits and links. A link out of the folder is
 * refused, because what it points to could change without the hash changing. Every file is read once, and `visit` is
 * given exactly what was hashed.
 */
export function hashFolder(folder: string, visit?: (entry: FolderEntry) => void): string {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const { path, kind, isExecutable } of partsOf(folder)) {
    const full = join(folder, path);
    const content = kind === "link" ? linkTarget(full) : readFile(full, MAX_BYTES - bytes, folder);
    bytes += content.length;
    hash.update(JSON.stringify([path.split(sep).join("/"), kind, isExecutable, content.length]));
    hash.update(content);
    visit?.({ path, kind, isExecutable, content });
  }
  return hash.digest("hex");
}

/** The hash of a folder; `undefined` when it cannot be hashed. */
export function hashIfPossible(folder: string): string | undefined {
  try {
    return hashFolder(folder);
  } catch {
    return undefined;
  }
}

/** Calls `visit` with everything in a folder, in a fixed order. Throws when that is too much. */
export function walkFolder(folder: string, visit: (path: string, stats: Stats) => void): void {
  let entries = 0;
  const walk = (inside: string) => {
    for (const name of readdirSync(`${folder}${sep}${inside}`).sort()) {
      if (++entries > MAX_ENTRIES) throw tooLarge(folder);
      const path = `${inside}${name}`;
      const stats = lstatSync(`${folder}${sep}${path}`);
      visit(path, stats);
      if (stats.isDirectory()) walk(`${path}${sep}`);
    }
  };
  walk("");
}

/** The files and links of a folder. Throws when one of them cannot be trusted. */
export function partsOf(folder: string): readonly Part[] {
  const parts: Part[] = [];
  walkFolder(folder, (path, stats) => {
    if (!stats.isDirectory()) parts.push(partFor(folder, path, stats));
  });
  return parts;
}

function partFor(folder: string, path: string, stats: Stats): Part {
  const full = join(folder, path);
  if (stats.isSymbolicLink()) {
    const target = realpathSync(full);
    if (!`${target}${sep}`.startsWith(`${realpathSync(folder)}${sep}`))
      throw unfit(`${full} is a link to ${target}, outside the hook's folder`);
    return { path, kind: "link", isExecutable: false };
  }
  if (!stats.isFile()) throw unfit(`${full} is neither a file nor a folder`);
  return { path, kind: "file", isExecutable: (stats.mode & 0o111) !== 0 };
}

/** An absolute link would point out of every copy of the folder. */
function linkTarget(full: string): Buffer {
  const target = readlinkSync(full);
  if (isAbsolute(target)) throw unfit(`${full} is a link by an absolute path; make it a relative one`);
  return Buffer.from(target);
}

/** Reads a file, and nothing that took its place since it was looked at. */
function readFile(full: string, most: number, folder: string): Buffer {
  const read = (file: number, stats: Stats) => {
    if (!stats.isFile()) throw unfit(`${full} is neither a file nor a folder`);
    if (stats.size > most) throw tooLarge(folder);
    const content = Buffer.allocUnsafe(stats.size);
    let length = 0;
    for (let count = 1; count > 0 && length < content.length; length += count)
      count = readSync(file, content, length, content.length - length, length);
    return content.subarray(0, length);
  };
  return withOpenFile(full, read, constants.O_NOFOLLOW ?? 0);
}

function tooLarge(folder: string): TenterhookError {
  return unfit(`${folder} has more than ${MAX_ENTRIES} files and folders or ${MAX_BYTES / 1024 / 1024} MiB`);
}

/** A reason why a folder cannot be trusted. */
export function unfit(message: string): TenterhookError {
  return new TenterhookError("hook_untrusted", `this folder cannot be trusted: ${message}.`);
}
