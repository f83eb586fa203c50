import { type Stats, statSync } from "node:fs";

/**
 * What tells a file apart from a changed one without reading it. The change time is in it because, unlike the
 * modification time, a program cannot set it back.
 */
export function signatureOf(path: string): string | undefined {
  try {
    return signatureFrom(statSync(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Not there is one thing; there but out of reach is another, and must be found and said.
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : `unreachable: ${code}`;
  }
}

export function signatureFrom({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
}
