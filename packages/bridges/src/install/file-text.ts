import { withoutBom } from "@tenterhook/internal";
import { readPlainFile } from "@tenterhook/internal/files";

/** The text of a file, without a byte order mark; `undefined` when it cannot be read, or is a device or a pipe. */
export function fileText(path: string): string | undefined {
  try {
    return withoutBom(readPlainFile(path));
  } catch {
    return undefined;
  }
}
