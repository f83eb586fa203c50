import { lstatSync } from "node:fs";
import { join } from "node:path";
import { findLocations } from "@tenterhook/file-hooks";
import { readPlainFile } from "@tenterhook/internal/files";
import type { NativeAnswer } from "../encode/lower.ts";
import { lowerFor } from "../encode/lower-for.ts";
import type { BridgeCall, OpenCall } from "../read/open-call.ts";
import { probeFolder, probeVariables } from "../read/probe-session.ts";
import type { DecisionRecord } from "./decision-log.ts";

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

/** The answer to a call of doctor: the refusal of its hook, and otherwise a refusal that says that the hook did not refuse. */
export function refusedProbe(open: OpenCall, given: NativeAnswer): NativeAnswer {
  if (isRefused(open.location.state)) return given;
  const reason = "the hook of tenterhook doctor did not refuse this call, which it always does";
  const [event] = open.native.event.events;
  return lowerFor(open, { type: "block", reason, context: [], notes: [] }, event).answer;
}

function isRefused(state: string): boolean {
  try {
    const record = JSON.parse(readPlainFile(join(state, "audit.jsonl"))) as DecisionRecord;
    return record.reported === "block";
  } catch {
    return false;
  }
}
