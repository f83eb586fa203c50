import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { sessionFolder } from "@tenterhook/file-hooks/run";

/** Runs work with a new session id, and removes the session's folder afterwards. */
export async function inOwnSession<T>(
  command: string,
  state: string,
  work: (sessionId: string) => Promise<T>,
): Promise<T> {
  const sessionId = `${command}-${randomBytes(6).toString("hex")}`;
  try {
    return await work(sessionId);
  } finally {
    removeFolder(state, sessionId);
  }
}

function removeFolder(state: string, sessionId: string): void {
  try {
    rmSync(sessionFolder(state, sessionId), { recursive: true, force: true });
  } catch {
    // A state folder that is not writable contains no session.
  }
}
