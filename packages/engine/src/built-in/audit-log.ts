import { messageOf } from "@tenterhook/internal";
import { type EventName, isEventName, TenterhookError } from "@tenterhook/protocol";
import type { Hooks, Unregister } from "../hooks.ts";
import { auditLine } from "./audit-line.ts";
import { badOption, checkNumber, checkOptions } from "./check-options.ts";
import { LogFile } from "./log-file.ts";
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
  if (write !== undefined && typeof write !== "function") throw badOption(NAME, "write must be a function.");
  for (const key of ["onError", "now"] as const) {
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
