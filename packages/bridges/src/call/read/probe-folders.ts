import { lstatSync } from "node:fs";
import { findLocations } from "@tenterhook/file-hooks";
import type { BridgeCall } from "./open-call.ts";
import { probeFolder, probeVariables } from "./probe-session.ts";

/** A folder that doctor left behind when it was killed is not used any more after this time. */
const VALID_MS = 5 * 60_000;

/**
 * A call of `tenterhook doctor`, with the folders that doctor has made for it: only the hook in there is asked, and session, log and
 * plan are written in there. Without such a folder it is an ordinary call. The folder is inside the state folder, where only this user
 * can write, and every call that uses it is refused (`refusedProbe`), so nothing can be let through by it.
 */
export function inProbeFolders(call: BridgeCall, sessionId: string): BridgeCall {
  const folder = probeFolder(findLocations(call.cwd, call.env).state, sessionId);
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true || Date.now() - stats.mtimeMs > VALID_MS) return call;
  return { ...call, env: { ...call.env, ...probeVariables(folder) } };
}
