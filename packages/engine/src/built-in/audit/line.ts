import { reasonOf } from "@tenterhook/protocol";
import type { Trace, TraceEntry } from "../../trace/trace.ts";
import type { Redactor } from "../redact/redactor.ts";
import { redactDeep } from "../redact/value.ts";
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

function entryFields(entry: Readonly<TraceEntry>): Record<string, unknown> {
  return {
    hook: entry.hook,
    verdict: entry.verdict,
    action: entry.action,
    duration_ms: entry.durationMs,
    judging: entry.pass === "judging" ? true : undefined,
    enforced: entry.isEnforced ? undefined : false,
    added_context: entry.isEnforced && entry.context !== undefined ? true : undefined,
    reason: entry.reason,
    error: entry.error?.code,
    approval: entry.approval,
    changes: entry.changes?.map(({ field, before, after }) => ({ field, before, after })),
  };
}
