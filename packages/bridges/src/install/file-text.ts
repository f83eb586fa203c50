import { readFileSync } from "node:fs";

/** The text of a file, without a byte order mark; `undefined` when it cannot be read. */
export function fileText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch {
    return undefined;
  }
}
