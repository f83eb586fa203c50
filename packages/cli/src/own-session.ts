import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { sessionFolder } from "@tenterhook/file-hooks";

/** Gives something a session that no other has, and removes the folder its hooks shared when it is over. */
export async function inOwnSession<T>(
  verb: string,
  state: string,
  work: (sessionId: string) => Promise<T>,
): Promise<T> {
  const sessionId = `${verb}-${randomBytes(6).toString("hex")}`;
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
    // A state folder that cannot be written to has no session in it either.
  }
}
