import type { TraceEntry } from "@tenterhook/engine";
import { reasonOf } from "@tenterhook/protocol";
import type { CallVerdict } from "../decide/call-verdict.ts";
import type { Evaluation } from "../decide/evaluate.ts";
import type { Encoded } from "../encode/encode.ts";
import type { OpenCall } from "../read/open-call.ts";
import { type DecisionEntry, type DecisionRecord, waitedMs } from "./decision-log.ts";

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
    ...(at === steps.length - 1 && refusedAfter(verdict, dispatch)),
    entries: trace.entries.map(decisionEntry),
    ...(at === steps.length - 1 && rest),
  }));
}

/** A refusal that came after the hooks had no objection: it is what counts. */
function refusedAfter(verdict: CallVerdict, { action }: Evaluation["steps"][number]["dispatch"]): object {
  if (verdict.type !== "block" || action !== "go_on") return {};
  return { outcome: "block", action: "refuse", decided_by: verdict.by, reason: verdict.reason };
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
