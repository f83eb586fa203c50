import { setField } from "@tenterhook/internal";
import { reasonOf } from "@tenterhook/protocol";
import type { Trace, TraceEntry } from "../trace/trace.ts";
import { redactDeep } from "./redact/redact.ts";
import type { Redactor } from "./redact/redactor.ts";

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

/** Nested further than anything an event carries; what lies deeper is not printed. */
const DEEPEST = 256;

/** Any value as JSON can represent it: cycles, big numbers, errors and functions become words. */
function printable(value: unknown, above: readonly object[] = []): unknown {
  switch (typeof value) {
    case "bigint":
      return `${value}n`;
    case "function":
    case "symbol":
      return `[${typeof value}]`;
    case "object":
      return value === null ? null : printableObject(value, above);
    default:
      return value;
  }
}

function printableObject(value: object, above: readonly object[]): unknown {
  if (above.includes(value)) return "[circular]";
  if (above.length >= DEEPEST) return "[too deep]";
  const path = [...above, value];
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (Array.isArray(value)) return value.map((item) => printable(item, path));
  if (value instanceof Map) return printable([...value], path);
  if (value instanceof Set) return printable([...value], path);
  const result: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) setField(result, key, printable(part, path));
  return result;
}
