import { createHash } from "node:crypto";
import { join } from "node:path";
import { readPlainFile, replacePlainFile } from "../plain-file.ts";

/** Raised when what is kept, or how it is read, changes. */
const VERSION = 2;

/** The signature of a folder without a HOOK.md. */
export const ABSENT = -2;

/**
 * What is known about a hooks root. Flat lists, in memory as on disk, because a thousand small objects take
 * longer to make than a thousand files to stat.
 */
export interface RootIndex {
  readonly version: number;
  /** Of the folder itself: when it is unchanged, so are the names in it. */
  ino: number;
  ctimeMs: number;
  names: readonly string[];
  /** How many more names there are than are read. */
  unread: number;
  /** Inode and change time of each HOOK.md, or ABSENT twice. */
  signatures: number[];
  /** 0: the hook is named like its folder; null: only the parser can read it. */
  heads: (string | 0 | null)[];
  triggers: string[];
  /** What the parser found, as JSON, by folder; read only for the hooks that an event concerns. */
  parsed: Record<string, string>;
}

export function emptyIndex(): RootIndex {
  return {
    version: VERSION,
    ino: 0,
    ctimeMs: 0,
    names: [],
    unread: 0,
    signatures: [],
    heads: [],
    triggers: [],
    parsed: {},
  };
}

/** The index that an earlier process wrote; `undefined` when there is none, or it is damaged. */
export function readIndex(cache: string, root: string): RootIndex | undefined {
  try {
    const index = JSON.parse(readPlainFile(pathFor(cache, root))) as RootIndex;
    const isWhole = index.version === VERSION && index.signatures.length === 2 * index.names.length;
    return isWhole ? index : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the index for the next process. A failure does no harm: that process reads the files again. */
export function writeIndex(cache: string, root: string, index: RootIndex): void {
  try {
    replacePlainFile(pathFor(cache, root), JSON.stringify(index));
  } catch {
    // For example a read-only home.
  }
}

function pathFor(cache: string, root: string): string {
  return join(cache, `hooks-${createHash("sha256").update(root).digest("hex").slice(0, 16)}.json`);
}
