import { createHash } from "node:crypto";
import { join } from "node:path";
import { readPlainFile, replacePlainFile } from "../plain-file.ts";

/** Raised when what is kept, or how it is read, changes. */
const VERSION = 3;

/** The signature of a folder without a HOOK.md. */
export const ABSENT = -2;

/**
 * What is known about a hooks root. Flat lists, because a thousand small objects take longer to make than a thousand files
 * to stat.
 */
export interface RootIndex {
  /** Of the folder itself: when it is unchanged, so are the names in it. */
  ino: number;
  ctimeMs: number;
  names: readonly string[];
  /** How many more names there are than are read. */
  unread: number;
  /** Inode and change time of each HOOK.md, or ABSENT twice. */
  signatures: Float64Array;
  /** 0: the hook is named like its folder; null: only the parser can read it. */
  heads: (string | 0 | null)[];
  triggers: string[];
  /** What the parser found, as JSON, by folder; read only for the hooks that an event concerns. */
  parsed: Record<string, string>;
}

/** As it is on disk: lists as texts, which are read several times as fast. No name and no trigger has a slash. */
interface StoredIndex extends Omit<RootIndex, "names" | "signatures" | "triggers"> {
  readonly version: number;
  readonly count: number;
  readonly names: string;
  /** In base64. */
  readonly signatures: string;
  readonly triggers: string;
}

const SEPARATOR = "/";

export function emptyIndex(): RootIndex {
  return {
    ino: 0,
    ctimeMs: 0,
    names: [],
    unread: 0,
    signatures: new Float64Array(),
    heads: [],
    triggers: [],
    parsed: {},
  };
}

/** The index that an earlier process wrote; `undefined` when there is none, or it is damaged. */
export function readIndex(cache: string, root: string): RootIndex | undefined {
  try {
    const { version, count, ...stored } = JSON.parse(readPlainFile(pathFor(cache, root))) as StoredIndex;
    if (version !== VERSION) return undefined;
    const index: RootIndex = {
      ...stored,
      names: count === 0 ? [] : stored.names.split(SEPARATOR),
      signatures: numbersOf(stored.signatures),
      triggers: count === 0 ? [] : stored.triggers.split(SEPARATOR),
    };
    const lengths = [
      index.names.length,
      index.signatures.length / 2,
      index.heads.length,
      index.triggers.length,
    ];
    return lengths.every((length) => length === count) ? index : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the index for the next process. A failure does no harm: that process reads the files again. */
export function writeIndex(cache: string, root: string, index: RootIndex): void {
  try {
    const { names, signatures, triggers } = index;
    const stored: StoredIndex = {
      ...index,
      version: VERSION,
      count: names.length,
      names: names.join(SEPARATOR),
      signatures: Buffer.from(signatures.buffer).toString("base64"),
      triggers: triggers.join(SEPARATOR),
    };
    replacePlainFile(pathFor(cache, root), JSON.stringify(stored));
  } catch {
    // For example a read-only home.
  }
}

function numbersOf(base64: string): Float64Array {
  const numbers = new Float64Array(Buffer.byteLength(base64, "base64") / Float64Array.BYTES_PER_ELEMENT);
  Buffer.from(numbers.buffer).write(base64, "base64");
  return numbers;
}

function pathFor(cache: string, root: string): string {
  return join(cache, `hooks-${createHash("sha256").update(root).digest("hex").slice(0, 16)}.json`);
}
