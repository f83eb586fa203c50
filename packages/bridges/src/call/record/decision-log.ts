import { closeSync, constants, fchmodSync, fstatSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { TraceEntry } from "@tenterhook/engine";
import { redactValue } from "@tenterhook/engine/built-in";
import { rotateLog } from "@tenterhook/engine/internal";
import { giveToParentOwner, makeFolders } from "@tenterhook/internal/files";
import { type EventName, reasonOf } from "@tenterhook/protocol";
import type { CallVerdict } from "../decide/call-verdict.ts";
import type { Evaluation } from "../decide/evaluate.ts";
import type { Encoded } from "../encode/encode.ts";
import type { OpenCall } from "../read/read-call.ts";

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
  /** Hooks asked about the call, and a person had allowed it once. */
  readonly allowed_once?: true | undefined;
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

const LONGEST_SUBJECT = 300;

/** What was decided about a call, one record for each of our events. */
export function makeRecords(
  { call, native, location: { project } }: OpenCall,
  { event, steps }: Evaluation,
  verdict: CallVerdict,
  { kind, shortfalls }: Encoded,
  printed: readonly string[],
): readonly DecisionRecord[] {
  const { client, eventName, sessionId } = native;
  const nativeTool = native.values.toolName;
  const common = {
    time: new Date().toISOString(),
    client: client.id,
    native_event: eventName,
    session_id: sessionId || undefined,
    project,
    ...(typeof nativeTool === "string" && { native_tool: nativeTool }),
    reported: kind,
    duration_ms: waitedMs(call.waitingSince),
  };
  const notes = [...new Set([...verdict.notes, ...shortfalls, ...printed])];
  const rest = notes.length > 0 ? { notes } : {};
  if (steps.length === 0) {
    const { reason, by } = verdict as { readonly reason?: string; readonly by?: string };
    const action = verdict.type === "proceed" ? "go_on" : "refuse";
    return [
      { ...common, event, outcome: verdict.type, action, decided_by: by, reason, entries: [], ...rest },
    ];
  }
  return steps.map(({ step, dispatch, trace }, at) => ({
    ...common,
    event: step.event,
    ...readSubject(step.payload),
    outcome: dispatch.outcome.type,
    action: dispatch.action,
    decided_by: dispatch.hook,
    reason: reasonOf(dispatch.outcome),
    ...(at === steps.length - 1 && decidedAfter(verdict, dispatch)),
    entries: trace.entries.map(decisionEntry),
    ...(at === steps.length - 1 && rest),
  }));
}

/** A refusal that came after the hooks had no objection is what counts. Of a question, who asked is noted. */
function decidedAfter(verdict: CallVerdict, { action }: Evaluation["steps"][number]["dispatch"]): object {
  if ((verdict.type !== "block" && verdict.type !== "ask") || action !== "go_on") return {};
  const { by: decided_by, reason } = verdict;
  return { ...(verdict.type === "block" && { outcome: "block", action: "refuse" }), decided_by, reason };
}

/** A hook's call as it is logged. */
export function decisionEntry(entry: Readonly<TraceEntry>): DecisionEntry {
  const { hook, verdict, matchedAs, durationMs, changes, context, isEnforced, reason, error } = entry;
  return {
    hook,
    verdict,
    matched_as: matchedAs,
    duration_ms: durationMs,
    // Of a hook that is not enforced they are what it would have done.
    changed: isEnforced && changes !== undefined ? true : undefined,
    added_context: isEnforced && context !== undefined ? true : undefined,
    enforced: isEnforced ? undefined : false,
    reason,
    error: error?.code,
  };
}

/** The tool of a call, and its command or file. */
export function readSubject(payload: unknown): { readonly tool_name?: string; readonly subject?: string } {
  const { toolName, toolInput } = payload as {
    readonly toolName?: string;
    readonly toolInput?: Readonly<Record<string, unknown>>;
  };
  const subject = toolInput?.command ?? toolInput?.file_path;
  return {
    ...(toolName !== undefined && { tool_name: toolName }),
    ...(typeof subject === "string" && { subject: subject.slice(0, LONGEST_SUBJECT) }),
  };
}

/** Logs a decision for which no hook was called. */
export function logUnasked(open: OpenCall, event: EventName, verdict: CallVerdict, encoded: Encoded): void {
  for (const record of makeRecords(open, { verdict, event, steps: [] }, verdict, encoded, []))
    logDecision(open.location.state, record);
}
