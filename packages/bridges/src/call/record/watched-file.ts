import { existsSync, statSync } from "node:fs";
import { readPlainFile } from "@tenterhook/internal/files";

/** A file that must have our entries, with its state when they were last found in it. */
export interface WatchedFile {
  readonly path: string;
  readonly ino: number;
  readonly mtimeMs: number;
  readonly size: number;
  /** The text that shows that an event's entry is in the file. */
  readonly texts: Readonly<Record<string, string>>;
}

/** The file by which the bridge notices that entries of a client were removed. */
export function watchedFile(state: string, client: string): string {
  return `${state}/bridge/entries/${client}.json`;
}

/** The files of a client that were written to since our entries were last seen in them. Every call checks this, so it compares inode, time and size only. */
export function writtenFiles(state: string, client: string): readonly WatchedFile[] {
  try {
    return watchedFiles(state, client).filter(({ path, ino, mtimeMs, size }) => {
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats === undefined || stats.ino !== ino || stats.mtimeMs !== mtimeMs || stats.size !== size;
    });
  } catch {
    // Nothing was installed, or nothing is known about it.
    return [];
  }
}

export function watchedFiles(state: string, client: string): readonly WatchedFile[] {
  const path = watchedFile(state, client);
  const watched: unknown = existsSync(path) ? JSON.parse(readPlainFile(path)) : [];
  return Array.isArray(watched) ? (watched as readonly WatchedFile[]) : [];
}
