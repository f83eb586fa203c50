import { createHash } from "node:crypto";
import { join } from "node:path";
import { makeFolders, removeUnusedDaily } from "@tenterhook/internal/files";
import { type Environment, temporaryFor } from "../caller/environment.ts";

/**
 * The folder that the hooks of a session share, for values as files. Made when first needed. A hook must run even
 * where it cannot be made: then it is a temporary one, and at worst there is none.
 */
export function sessionFolder(state: string, sessionId: string, env: Environment = process.env): string {
  const sessions = join(state, "sessions");
  const folder = join(sessions, nameFor(sessionId));
  try {
    // True only when it was made just now, which is a good moment to remove old ones.
    if (makeFolders(folder)) removeUnusedDaily(sessions);
    return folder;
  } catch {
    return temporaryOrNone(folder, env);
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

function temporaryOrNone(folder: string, env: Environment): string {
  try {
    return temporaryFor(folder, "tenterhook-session-", env);
  } catch {
    return "";
  }
}
