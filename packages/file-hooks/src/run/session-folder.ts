import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** The folder that the hooks of a session share: their bag, as files. Made when first asked for. */
export function sessionFolder(state: string, sessionId: string): string {
  // A session id comes from outside: anything that is not plainly a name becomes one.
  const isPlain = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(sessionId);
  const name = isPlain ? sessionId : createHash("sha256").update(sessionId).digest("hex").slice(0, 32);
  const folder = join(state, "sessions", name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
