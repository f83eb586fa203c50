import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { giveToParentOwner, makeFolders } from "./folders.ts";

/** No file that is kept between two processes is nearly as large. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Opens a file for reading, and closes it after `use`. It never blocks: without O_NONBLOCK, a pipe in the file's place would keep a
 * client waiting until its timeout, after which most clients let the call run. `use` decides by `stats` what it accepts.
 */
export function withOpenFile<R>(path: string, use: (file: number, stats: Stats) => R, flags = 0): R {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags);
  try {
    return use(file, fstatSync(file));
  } finally {
    closeSync(file);
  }
}

/** The text of a file. Throws when it is not a plain file, or too large. */
export function readPlainFile(path: string): string {
  return readPlainBytes(path).toString("utf8");
}

/** The bytes of a file. Throws when it is not a plain file, or too large. */
export function readPlainBytes(path: string): Buffer {
  return withOpenFile(path, (file, stats) => {
    if (!stats.isFile()) throw new Error(`${path} is not a file`);
    if (stats.size > MAX_BYTES) throw new Error(`${path} is larger than ${MAX_BYTES} bytes`);
    return readFileSync(file);
  });
}

/** Writes a file that only the user can read, and the folders that it is in. Other processes see the old content or the new one. */
export function replacePlainFile(path: string, content: string | Uint8Array): void {
  makeFolders(dirname(path));
  // Two processes have the same number where each has a container of its own.
  const draft = `${path}.${process.pid}-${process.hrtime()[1]}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: "wx" });
    giveToParentOwner(draft);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
