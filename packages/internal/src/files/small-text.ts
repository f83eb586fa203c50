import { readSync } from "node:fs";
import { messageOf } from "@tenterhook/internal";
import { withOpenFile } from "./plain-file.ts";

/** A hooks.toml is a few lines; more than this is not read. */
const MAX_BYTES = 64 * 1024;

/** A text file, or why it is none. */
export type SmallText = { readonly text: string } | { readonly problem: string };

/**
 * Reads a small text file; `undefined` when there is none. It never throws and never waits: the file may be a pipe, a
 * device or a folder, and of any size.
 */
export function readSmallText(path: string): SmallText | undefined {
  try {
    return withOpenFile(path, (file, stats) => {
      if (!stats.isFile()) return { problem: "it is not a file" };
      const buffer = Buffer.allocUnsafe(MAX_BYTES + 1);
      const length = readSync(file, buffer, 0, buffer.length, 0);
      if (length > MAX_BYTES) return { problem: `it is larger than ${MAX_BYTES / 1024} KiB` };
      return { text: buffer.toString("utf8", 0, length) };
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR"
      ? undefined
      : { problem: `it cannot be read: ${messageOf(error)}` };
  }
}
