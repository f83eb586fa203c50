import { createHash } from "node:crypto";

/** A session's name for files. Its id comes from outside: anything that is not plainly a name becomes one. */
export function sessionName(sessionId: string): string {
  const isPlain = /^[A-Za-z0-9_-][A-Za-z0-9_-]{0,99}$/.test(sessionId);
  return isPlain ? sessionId : createHash("sha256").update(sessionId).digest("hex");
}
