import { readPlainFile } from "@tenterhook/file-hooks";

/** The text of a file, without a byte order mark; `undefined` when it cannot be read, or is a device or a pipe. */
export function fileText(path: string): string | undefined {
  try {
    return readPlainFile(path).replace(/^\uFEFF/, "");
  } catch {
    return undefined;
  }
}
