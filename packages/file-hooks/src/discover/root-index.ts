import { createHash } from "node:crypto";
import { join } from "node:path";
import { isRecord } from "@tenterhook/internal";
import { checkedText, readPlainFile, replacePlainFile, withChecksum } from "@tenterhook/internal/files";

/** Raised when what is kept, or how it is read, changes. */
const VERSION = 8;

/** The signature of a folder without a hook's file. */
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
  /** Inode and change time of each hook's file (see `hookSignature`), or ABSENT twice. */
  signatures: Float64Array;
  /** 0: the hook is named like its folder; null: only the parser can read it. */
  heads: (string | 0 | null)[];
  triggers: string[];
  /** What the parser found, as JSON with a checksum, by folder; read only for the hooks that an event concerns. */
  parsed: Record<string, string>;
}

/** As it is on disk: lists as texts, which are read several times as fast. No name and no trigger has a slash. */
interface StoredIndex extends Omit<RootIndex, "names" | "signatures" | "triggers" | "parsed"> {
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

/**
 * The index that an earlier process wrote; `undefined` when there is none, or it is damaged. The file has two lines: the lists with their
 * checksum, and what the parser found, where each entry has its own (see `parsedText`).
 */
export function readIndex(cache: string, root: string): RootIndex | undefined {
  try {
    const file = readPlainFile(pathFor(cache, root));
    const end = file.indexOf("\n");
    const lists = checkedText(file.slice(0, Math.max(end, 0)));
    if (lists === undefined) return undefined;
    const { version, count, ...stored } = JSON.parse(lists) as StoredIndex;
    if (version !== VERSION) return undefined;
    return {
      ...stored,
      names: count === 0 ? [] : stored.names.split(SEPARATOR),
      signatures: decodeNumbers(stored.signatures),
      triggers: count === 0 ? [] : stored.triggers.split(SEPARATOR),
      parsed: parsedIn(file.slice(end + 1)),
    };
  } catch {
    return undefined;
  }
}

/** Without it, the files are parsed again. */
function parsedIn(line: string): Record<string, string> {
  try {
    const parsed: unknown = JSON.parse(line);
    return isRecord(parsed) ? (parsed as Record<string, string>) : {};
  } catch {
    return {};
  }
}

/** Writes the index for the next process. A failure does no harm: that process reads the files again. */
export function writeIndex(cache: string, root: string, { parsed, ...index }: RootIndex): void {
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
    replacePlainFile(
      pathFor(cache, root),
      `${withChecksum(JSON.stringify(stored))}\n${JSON.stringify(parsed)}`,
    );
  } catch {
    // For example a read-only home.
  }
}

/** What the parser found in the file at a position of the lists, as JSON; `undefined` when it is not about the file as it is now. */
export function parsedText(index: RootIndex, at: number): string | undefined {
  const name = index.names[at] ?? "";
  const stored: unknown = Object.hasOwn(index.parsed, name) ? index.parsed[name] : undefined;
  return typeof stored === "string" ? checkedText(stored, subjectAt(index, at)) : undefined;
}

/** Keeps what the parser found. */
export function setParsedText(index: RootIndex, at: number, json: string): void {
  index.parsed[index.names[at] ?? ""] = withChecksum(json, subjectAt(index, at));
}

/** The file and its signature. */
function subjectAt({ names, signatures }: RootIndex, at: number): string {
  return `${names[at]}/${signatures[2 * at]}/${signatures[2 * at + 1]}/`;
}

function decodeNumbers(base64: string): Float64Array {
  const numbers = new Float64Array(Buffer.byteLength(base64, "base64") / Float64Array.BYTES_PER_ELEMENT);
  Buffer.from(numbers.buffer).write(base64, "base64");
  return numbers;
}

function pathFor(cache: string, root: string): string {
  return join(cache, `hooks-${createHash("sha256").update(root).digest("hex").slice(0, 16)}.json`);
}
