import { readSync } from "node:fs";
import { messageOf } from "@tenterhook/internal";
import { isNotFound } from "./is-missing.ts";
import { withOpenFile } from "./plain-file.ts";

/** A hooks.toml is a few lines; more than this is not read. */
const MAX_BYTES = 64 * 1024;

/** Most are smaller. A buffer for the longest would take longer to make than the file to read. */
const USUAL_BYTES = 4 * 1024;

/** A text file, or why it is none. */
export type SmallText =
  | { readonly text: string }
  | {
      readonly problem: string;
      /** It could not be read, and may be readable the next moment without being changed. */
      readonly mayPass?: true;
    };

/**
 * Reads a small text file; `undefined` when there is none. It never throws and never waits: the file may be a pipe, a
 * device or a folder, and of any size.
 */
export function readSmallText(path: string): SmallText | undefined {
  try {
    return withOpenFile(path, (file, stats) => {
      if (!stats.isFile()) return { problem: "it is not a file" };
      const bytes = readStart(file, USUAL_BYTES);
      const all = bytes.length < USUAL_BYTES ? bytes : readStart(file, MAX_BYTES + 1);
      if (all.length > MAX_BYTES) return { problem: `it is larger than ${MAX_BYTES / 1024} KiB` };
      return { text: all.toString("utf8") };
    });
  } catch (error) {
    return isNotFound(error)
      ? undefined
      : { problem: `it cannot be read: ${messageOf(error)}`, mayPass: true };
  }
}

/** The first bytes of a file, at most so many. */
function readStart(file: number, most: number): Buffer {
  const buffer = Buffer.allocUnsafe(most);
  return buffer.subarray(0, readSync(file, buffer, 0, most, 0));
}
