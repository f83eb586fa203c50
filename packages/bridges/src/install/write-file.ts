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

/** Replaces a file atomically: a reader sees the old text or the new one. Mode and owner are kept. */
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
    throw error;
  }
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
  if (stats === undefined || (stats.uid === process.getuid?.() && stats.gid === process.getgid?.())) return;
  try {
    chownSync(draft, stats.uid, stats.gid);
  } catch {
    // Only root may change the owner; otherwise the file is ours, as after any other editor.
  }
}
