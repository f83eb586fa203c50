import {
  chownSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { giveToParentOwner } from "@tenterhook/internal/files";

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
