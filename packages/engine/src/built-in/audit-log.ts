import { messageOf, setField } from "@tenterhook/internal";
import { type EventName, isEventName, reasonOf, TenterhookError } from "@tenterhook/protocol";
import type { Hooks, Unregister } from "../hooks.ts";
import type { Trace, TraceEntry } from "../trace/trace.ts";
import { badOption, checkNumber, checkOptions } from "./check-options.ts";
import { LogFile } from "./log-file.ts";
import { redactDeep } from "./redact/redact.ts";
import { type RedactOptions, Redactor } from "./redact/redactor.ts";

/** Where the audit log is written, and what it contains. */
export interface AuditLogOptions {
  /** The file to append to; made with mode 0600. Either this or `write`. */
  readonly path?: string;
  /** Takes each line, its newline included, after the one before was taken. May throw; that is reported. */
  readonly write?: (line: string) => void | Promise<void>;
  /** What is kept out of the log. Default: everything the built-in detectors find; `false` keeps nothing out. */
  readonly redact?: RedactOptions | false;
  /** Default: all. */
  readonly events?: readonly EventName[];
  /** The file is rotated before it would grow beyond this. Default 10 MiB. */
  readonly maxBytes?: number;
  /** How many rotated files are kept, as `.1`, `.2`, …. Default 3. */
  readonly keep?: number;
  /** Called when lines are lost, once until writing works again. Default: a process warning. */
  readonly onError?: (error: unknown) => void;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/** A running audit log. */
export interface AuditLog {
  /** Stops listening; what was recorded is still written. */
  readonly unregister: Unregister;
  /** Waits until everything recorded so far is written. Await it before the process exits. */
  flush(): Promise<void>;
}

const NAME = "audit-log";

/** Writes one line of JSON for every dispatch that called a hook. */
export function auditLog(hooks: Hooks, options: AuditLogOptions): AuditLog {
  checkAuditLog(options);
  const { redact = {}, onError = warn, now = Date.now } = options;
  const events = options.events && new Set(options.events);
  const redactor = redact === false ? undefined : new Redactor(redact);
  const journal = new Journal(sink(options), onError);
  const unregister = hooks.onTrace((trace) => {
    if (events !== undefined && !events.has(trace.event)) return;
    journal.add(auditLine(trace, new Date(now()), redactor));
  });
  return { unregister, flush: () => journal.flush() };
}

function sink(options: AuditLogOptions): (lines: readonly string[]) => Promise<void> {
  const { path, write, maxBytes, keep } = options;
  if (path !== undefined) {
    const file = new LogFile({ path, maxBytes, keep });
    return (lines) => file.append(lines);
  }
  return async (lines) => {
    const failures: unknown[] = [];
    for (const line of lines) {
      try {
        await write?.(line);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
}

function checkAuditLog(options: AuditLogOptions): void {
  checkOptions(NAME, options, ["path", "write", "redact", "events", "maxBytes", "keep", "onError", "now"]);
  const { path, write, events } = options;
  if ((path === undefined) === (write === undefined)) throw badOption(NAME, "it needs either path or write.");
  if (path !== undefined && (typeof path !== "string" || path === ""))
    throw badOption(NAME, "path must be a string.");
  for (const key of ["write", "onError", "now"] as const) {
    if (options[key] !== undefined && typeof options[key] !== "function") {
      throw badOption(NAME, `${key} must be a function.`);
    }
  }
  checkNumber(NAME, "maxBytes", options.maxBytes, { least: 1, whole: true });
  checkNumber(NAME, "keep", options.keep, { least: 0, whole: true });
  const unknown = events?.find((event) => !isEventName(event));
  if (unknown !== undefined)
    throw new TenterhookError("unknown_event", `there is no event "${unknown}".`, { hook: NAME });
}

function warn(error: unknown): void {
  process.emitWarning(`audit-log: lines are lost: ${messageOf(error)}`, "TenterhookWarning");
}

/** What is not written yet may take this much memory; beyond it lines are lost, and that is reported. */
const MAX_PENDING_BYTES = 64 * 1_048_576;

/** Writes lines one batch after another, in the background. It never throws; failures are reported. */
class Journal {
  readonly #write: (lines: readonly string[]) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #pending: string[] = [];
  #pendingBytes = 0;
  #writing: Promise<void> | undefined;
  /** A failure is reported once, and again only after a success. */
  #isFailing = false;

  constructor(write: (lines: readonly string[]) => Promise<void>, onError: (error: unknown) => void) {
    this.#write = write;
    this.#onError = onError;
  }

  add(line: string): void {
    if (this.#pendingBytes + line.length > MAX_PENDING_BYTES) {
      this.#failed(new Error("lines are made faster than they can be written; some are lost"));
      return;
    }
    this.#pending.push(line);
    this.#pendingBytes += line.length;
    this.#writing ??= this.#drain();
  }

  /** Waits until everything that was added before is written, or lost and reported. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async #drain(): Promise<void> {
    // The current dispatch comes first; its other lines are then written in the same batch.
    await Promise.resolve();
    while (this.#pending.length > 0) {
      const lines = this.#pending;
      this.#pending = [];
      this.#pendingBytes = 0;
      try {
        await this.#write(lines);
        this.#isFailing = false;
      } catch (error) {
        this.#failed(error);
      }
    }
    this.#writing = undefined;
  }

  #failed(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    try {
      this.#onError(error);
    } catch {
      // A reporter that throws must not cause another failure.
    }
  }
}

interface Subject {
  readonly sessionId?: string;
  readonly session?: { readonly id: string };
  readonly toolName?: string;
}

/** One dispatch as one line of JSON: which hooks were called, what each answered and changed, and how it ended. */
function auditLine(trace: Trace, at: Date, redactor: Redactor | undefined): string {
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
