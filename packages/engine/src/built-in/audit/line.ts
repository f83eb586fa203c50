import { reasonOf } from "@tenterhook/protocol";
import type { Trace, TraceEntry } from "../../trace/trace.ts";
import type { Redactor } from "../redact/redactor.ts";
import { redactDeep } from "../redact/redact.ts";
import { printable } from "./printable.ts";

interface Subject {
  readonly sessionId?: string;
  readonly session?: { readonly id: string };
  readonly toolName?: string;
}

/** One dispatch as one line of JSON: which hooks were called, what each answered and changed, and how it ended. */
export function auditLine(trace: Trace, at: Date, redactor: Redactor | undefined): string {
  const { sessionId, session, toolName } = trace.original as Subject;
  const time = at.toISOString();
  try {
    const line = printable({
      time,
      event: trace.event,
      session_id: sessionId ?? session?.id,
      tool_name: toolName,
      outcome: trace.outcome.type,
      action: trace.action,
      decided_by: trace.decidedBy,
      reason: reasonOf(trace.outcome),
      entries: trace.entries.map(entryFields),
    });
    return `${JSON.stringify(redactor === undefined ? line : redactDeep(line, redactor, new Map()))}\n`;
  } catch {
    // A line that could not be redacted must not be written; that there was one must.
    return `${JSON.stringify({ time, event: trace.event, action: trace.action, unreadable: true })}\n`;
  }
}

/** Only the fields that say something: each costs as much to print and to redact whether it has a value or not. */
function entryFields(entry: Readonly<TraceEntry>): Record<string, unknown> {
  const fields: Record<string, unknown> = { hook: entry.hook, verdict: entry.verdict };
  if (entry.action !== undefined) fields.action = entry.action;
  if (entry.durationMs !== undefined) fields.duration_ms = entry.durationMs;
  if (entry.pass === "judging") fields.judging = true;
  if (!entry.isEnforced) fields.enforced = false;
  else if (entry.context !== undefined) fields.added_context = true;
  if (entry.reason !== undefined) fields.reason = entry.reason;
  if (entry.error !== undefined) fields.error = entry.error.code;
  if (entry.approval !== undefined) fields.approval = entry.approval;
  if (entry.changes !== undefined)
    fields.changes = entry.changes.map(({ field, before, after }) => ({ field, before, after }));
  return fields;
}
