import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolders, removeUnused } from "@tenterhook/internal/files";

/** The temporary folders of sessions whose own folder cannot be written, by that folder. */
const temporaryFolders = new Map<string, string>();

/**
 * The folder that the hooks of a session share, for values as files. Made when first needed. A hook must run even
 * where it cannot be made: then it is a temporary one, and at worst there is none.
 */
export function sessionFolder(state: string, sessionId: string): string {
  const sessions = join(state, "sessions");
  const folder = join(sessions, nameFor(sessionId));
  try {
    // True only when it was made just now, which is a good moment to remove old ones.
    if (makeFolders(folder)) removeUnused(sessions);
    return folder;
  } catch {
    return temporaryFor(folder);
  }
}

/**
 * A session id comes from outside: anything that is not plainly a name becomes one, with a point, which no plain name has. Upper case
 * is not plain: a file system may not distinguish it. As JSON, halves of characters stay different.
 */
function nameFor(sessionId: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/.test(sessionId)) return sessionId;
  return `id.${createHash("sha256").update(JSON.stringify(sessionId)).digest("hex").slice(0, 32)}`;
}

function temporaryFor(folder: string): string {
  const known = temporaryFolders.get(folder);
  if (known !== undefined) return known;
  try {
    const made = mkdtempSync(join(tmpdir(), "tenterhook-session-"));
    if (temporaryFolders.size === 0) process.once("exit", removeTemporary);
    temporaryFolders.set(folder, made);
    return made;
  } catch {
    return "";
  }
}

function removeTemporary(): void {
  for (const folder of temporaryFolders.values()) rmSync(folder, { recursive: true, force: true });
}
