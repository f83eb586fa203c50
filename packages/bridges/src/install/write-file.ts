import { spawnSync } from "node:child_process";
import {
  chownSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  lchownSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { giveToParentOwner, makeFolders } from "@tenterhook/internal/files";
import type { Installation } from "./installation.ts";

/**
 * Replaces a file atomically: a reader sees the old text or the new one. Mode and owner are kept; a new file belongs to the owner of its
 * folder. An error names the file.
 */
export function replaceFile(path: string, text: string | Buffer, mode: number): void {
  // A fixed name, so that the next process replaces the draft of one that was killed.
  const draft = join(dirname(path), `.${basename(path)}.tenterhook`);
  rmSync(draft, { force: true });
  try {
    const file = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(file, text);
      fchmodSync(file, mode);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    keepOwner(path, draft);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw errorAbout(path, error);
  }
}

/** A file system's error about a file. That of a write names no file, that of a copy the source. */
export function errorAbout(path: string, error: unknown): unknown {
  return error instanceof Error && "code" in error ? Object.assign(error, { path }) : error;
}

/** The folders of a path that do not exist, the outermost first. */
export function missingFolders(folder: string): readonly string[] {
  const missing: string[] = [];
  for (let each = folder; statSync(each, { throwIfNoEntry: false }) === undefined; each = dirname(each))
    missing.unshift(each);
  return missing;
}

function keepOwner(path: string, draft: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    giveToParentOwner(draft);
    return;
  }
  if (stats.uid === process.getuid?.() && stats.gid === process.getgid?.()) return;
  try {
    chownSync(draft, stats.uid, stats.gid);
  } catch {
    // Only root may change the owner; otherwise the file is ours, as after any other editor.
  }
}

/** The user that root installs for. */
interface HomeOwner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Makes a folder, and those above it. If root does that in the HOME of another user, or with that HOME in a place that an XDG variable
 * names, the new ones belong to that user.
 */
export function makeForHomeOwner(
  home: string,
  folder: string,
  make: (folder: string) => void = makeFolders,
): void {
  const owner = otherOwner(home);
  if (owner === undefined) {
    make(folder);
    return;
  }
  const missing = missingFolders(folder);
  make(folder);
  for (const made of missing) lchownSync(made, owner.uid, owner.gid);
}

/** Throws if root installs for another user, and that user could not use what was installed. */
export function checkUsableByOwner({ home, locations }: Installation, node: string, bridge: string): void {
  const owner = otherOwner(home);
  if (owner === undefined) return;
  const program =
    'const fs = require("node:fs"); fs.accessSync(process.argv[1], 4); fs.accessSync(process.argv[2], 7)';
  const args = ["-e", program, bridge, locations.state];
  const { status, error, stderr } = spawnSync(node, args, { ...owner, cwd: "/", env: {}, encoding: "utf8" });
  if (status === 0) return;
  const why = error?.message ?? /^Error: (.*)$/m.exec(stderr)?.[1] ?? `exit code ${status}`;
  throw new Error(
    `the owner of ${home} (user ${owner.uid}) could not use the hook: ${why}. Run install as that user, or with a Node in a folder that all users can read (this is ${node}).`,
  );
}

/** The user that coding agents will run as: the owner of HOME if root installs for another user, else this one. */
export function findUser(home: string): number {
  return otherOwner(home)?.uid ?? process.getuid?.() ?? -1;
}

/** The owner of HOME, if this process is root and the owner is not. */
function otherOwner(home: string): HomeOwner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const stats = statSync(home, { throwIfNoEntry: false });
  return stats === undefined || stats.uid === 0 ? undefined : { uid: stats.uid, gid: stats.gid };
}
