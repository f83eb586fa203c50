import { closeSync, constants, fchmodSync, fstatSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { redactValue } from "@tenterhook/engine/built-in";
import { rotateLog } from "@tenterhook/engine/internal";
import { giveToParentOwner, makeFolders } from "@tenterhook/internal/files";

/** One decision of a bridge, as `tenterhook log` reads it. */
export interface DecisionRecord {
  readonly time: string;
  /** Our event. */
  readonly event: string;
  readonly client: string;
  /** The client's name of the event. */
  readonly native_event: string;
  readonly session_id?: string | undefined;
  readonly project?: string | undefined;
  readonly tool_name?: string | undefined;
  /** The client's name of the tool. */
  readonly native_tool?: string | undefined;
  /** What the call is about: the command, the file. */
  readonly subject?: string | undefined;
  readonly outcome: string;
  readonly action: string;
  readonly decided_by?: string | undefined;
  readonly reason?: string | undefined;
  /** The kind of answer that the client got. */
  readonly reported: string;
  /** From the start of the bridge's process. */
  readonly duration_ms: number;
  readonly entries: readonly DecisionEntry[];
  readonly notes?: readonly string[] | undefined;
}

export interface DecisionEntry {
  readonly hook: string;
  readonly verdict: string;
  /** The alias of the tool that its matcher found, where the tool's own name does not match. */
  readonly matched_as?: string | undefined;
  readonly duration_ms?: number | undefined;
  /** It changed the value. */
  readonly changed?: true | undefined;
  /** It added context for the model. */
  readonly added_context?: true | undefined;
  /** It is not enforced: nothing followed from its answer. */
  readonly enforced?: false | undefined;
  readonly reason?: string | undefined;
  readonly error?: string | undefined;
}

const MAX_BYTES = 10 * 1_048_576;
const KEPT_FILES = 3;
/** Without waiting: in the place of the file may be a pipe that nothing reads. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

/**
 * Appends a record to the file of all decisions, without secrets; older parts are beside it as `.1`, `.2`, `.3`. It never throws: a log
 * that cannot be written must not change an answer.
 */
export function logDecision(state: string, record: DecisionRecord): void {
  try {
    makeFolders(state);
    append(join(state, "audit.jsonl"), `${JSON.stringify(redactValue(record))}\n`);
  } catch {
    // The disk may be full, or the home read-only.
  }
}

function append(path: string, line: string): void {
  const room = Buffer.byteLength(line);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size + room > MAX_BYTES) rotateLog(path, { room, maxBytes: MAX_BYTES, keep: KEPT_FILES });
  const file = openSync(path, APPEND, 0o600);
  try {
    const stats = fstatSync(file);
    if (stats.size === 0) giveToParentOwner(path);
    // Another process may have made it readable by everyone.
    if (stats.isFile() && (stats.mode & 0o077) !== 0) fchmodSync(file, 0o600);
    // One write: lines of several processes do not mix.
    writeSync(file, line);
  } finally {
    closeSync(file);
  }
}

/** How long the client has waited, in milliseconds, for `duration_ms`. */
export function waitedMs(waitingSince: number | undefined): number {
  return waitingSince === undefined ? 0 : Math.round(performance.now() - waitingSince);
}
