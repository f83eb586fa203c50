import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolders } from "../make-folders.ts";

/** Raised when what is kept, or how it is read, changes. */
const VERSION = 2;

/** Stands for "no HOOK.md here". */
export const ABSENT = -2;

/**
 * What is known about a place full of hooks. Flat lists, in memory as on disk, because a thousand small objects take
 * longer to make than a thousand files to stat.
 */
export interface PlaceIndex {
  readonly version: number;
  /** Of the folder itself: when it is unchanged, so are the names in it. */
  ino: number;
  ctimeMs: number;
  names: readonly string[];
  /** How many more names there are than are looked at. */
  unread: number;
  /** Inode and change time of each HOOK.md, or ABSENT twice. */
  signatures: number[];
  /** 0: the hook is called like its folder; null: only the parser can tell. */
  heads: (string | 0 | null)[];
  triggers: string[];
  /** What the parser said, as JSON, by folder; read only for the hooks that an event concerns. */
  parsed: Record<string, string>;
}

export function emptyIndex(): PlaceIndex {
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

/** What an earlier process learned about a place; nothing when there was none, or it is damaged. */
export function readIndex(cache: string, place: string): PlaceIndex | undefined {
  try {
    const index = JSON.parse(readFileSync(pathFor(cache, place), "utf8")) as PlaceIndex;
    const isWhole = index.version === VERSION && index.signatures.length === 2 * index.names.length;
    return isWhole ? index : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps it for the next process. Failing to is no harm: that one reads the files again. */
export function writeIndex(cache: string, place: string, index: PlaceIndex): void {
  try {
    const path = pathFor(cache, place);
    makeFolders(dirname(path));
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(index), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // A read-only home, say.
  }
}

function pathFor(cache: string, place: string): string {
  return join(cache, `hooks-${createHash("sha256").update(place).digest("hex").slice(0, 16)}.json`);
}
