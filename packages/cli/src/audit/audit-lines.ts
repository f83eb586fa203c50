import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { systemCode } from "@tenterhook/internal";
import { formatPath } from "../format-hook.ts";
import { UsageError } from "../usage-error.ts";

/** At most this many rotated files are kept. */
const MAX_FILES = 100;
const CHUNK_BYTES = 1_048_576;
/** Nothing writes a longer line. One is passed on as a text that is not a record. */
const MAX_LINE_BYTES = 16 * 1_048_576;
const TOO_LONG = Buffer.from("(too long) ");
const LINE_END = 0x0a;
/** Without waiting: in the place of the file may be a pipe that nothing writes to. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** What of the audit trail is read. */
export interface AuditLinesOptions {
  /** How many bytes of the file itself are read, besides the rotated ones. Default: all. */
  readonly bytes?: number | undefined;
  /** Rotated files that were last written to before this time are left out. */
  readonly sinceMs?: number;
}

/** The lines of the audit trail, oldest first and many at a time: of rotated files, then of the file itself. */
export async function* auditLines(
  path: string,
  { bytes = Number.POSITIVE_INFINITY, sinceMs = Number.NEGATIVE_INFINITY }: AuditLinesOptions = {},
): AsyncGenerator<readonly string[]> {
  const files = await openFiles(path);
  try {
    for (const { file, stats, isRotated } of files) {
      if (isRotated && stats.mtimeMs < sinceMs) continue;
      if (isRotated || bytes > 0) yield* readLines(file, isRotated ? Number.POSITIVE_INFINITY : bytes - 1);
    }
  } finally {
    await closeAll(files);
  }
}

interface OpenFile {
  readonly file: FileHandle;
  readonly stats: Stats;
  readonly isRotated: boolean;
}

/** Oldest first. They are opened newest first: a file that is rotated meanwhile is found again under its next name, and never missed. */
async function openFiles(path: string): Promise<readonly OpenFile[]> {
  const files: OpenFile[] = [];
  try {
    // While files are renamed, one of them may be missing.
    for (let number = 0, missing = 0; number <= MAX_FILES && missing < 2; number++) {
      const isRotated = number > 0;
      const name = isRotated ? `${path}.${number}` : path;
      const file = await open(name, READ).catch(unlessMissing);
      if (file === undefined) missing += isRotated ? 1 : 0;
      else await keep({ file, stats: await file.stat(), isRotated }, name, files);
    }
    return files.reverse();
  } catch (error) {
    await closeAll(files);
    throw error;
  }
}

async function keep(opened: OpenFile, name: string, files: OpenFile[]): Promise<void> {
  const { file, stats } = opened;
  if (!stats.isFile()) {
    await file.close();
    throw new UsageError(
      `${formatPath(name)} is not a file.`,
      "Move it away: the audit trail is stored there.",
    );
  }
  if (files.some((known) => known.stats.ino === stats.ino && known.stats.dev === stats.dev))
    await file.close();
  else files.push(opened);
}

async function closeAll(files: readonly OpenFile[]): Promise<void> {
  for (const { file } of files) await file.close();
}

function unlessMissing(error: unknown): undefined {
  if (systemCode(error) !== "ENOENT") throw error;
}

async function* readLines(file: FileHandle, end: number): AsyncGenerator<readonly string[]> {
  const stream = file.createReadStream({ start: 0, end, highWaterMark: CHUNK_BYTES, autoClose: false });
  /** The beginning of a line whose end has not been read yet. */
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const lastEnd = chunk.lastIndexOf(LINE_END);
    if (lastEnd === -1) {
      begunBytes += chunk.length;
      begun = begunBytes > MAX_LINE_BYTES ? [TOO_LONG] : [...begun, chunk];
      continue;
    }
    yield Buffer.concat([...begun, chunk.subarray(0, lastEnd)])
      .toString()
      .split("\n");
    begun = [chunk.subarray(lastEnd + 1)];
    begunBytes = chunk.length - lastEnd - 1;
  }
  const last = Buffer.concat(begun).toString();
  if (last !== "") yield [last];
}
