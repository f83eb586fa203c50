import { type Stats, statSync } from "node:fs";

/**
 * What tells a file apart from a changed one without reading it. The change time is in it because, unlike the
 * modification time, a program cannot set it back.
 */
export function signatureOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : signatureFrom(stats);
}

export function signatureFrom({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
}
