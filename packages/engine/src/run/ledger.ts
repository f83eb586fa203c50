import { type HookDescriptor, type Outcome, reasonOf, type TenterhookError } from "@tenterhook/protocol";
import type { Plan } from "../plan/plan.ts";
import type { HookEventType } from "../trace/hook-event.ts";
import type { Observers } from "../trace/observers.ts";
import { TraceEntry } from "../trace/trace.ts";
import type { Asking } from "./asking.ts";
import type { Decision } from "./decision.ts";

/** A hook that took its time and said nothing; it becomes a trace entry when somebody reads the trace. */
class TimedNote {
  readonly hook: HookDescriptor;
  readonly startedAt: number;
  readonly durationMs: number;

  constructor(hook: HookDescriptor, startedAt: number, durationMs: number) {
    this.hook = hook;
    this.startedAt = startedAt;
    this.durationMs = durationMs;
  }
}

/** Most hooks say nothing and take no time: of those only who it was is noted. */
type Note = HookDescriptor | TimedNote | TraceEntry;

/** The books of one dispatch: what every hook said, what was added for the model, what failed. */
export class Ledger {
  readonly #plan: Plan;
  /** How many hooks of a quiet plan have said nothing so far; while that is all there is to tell, it is all that is kept. */
  #leading = 0;
  #notes: Note[] | undefined;
  #added: string[] | undefined;
  #failures: TenterhookError[] | undefined;
  readonly #observers: Observers;
  readonly #tracing: boolean;

  constructor(plan: Plan, observers: Observers, tracing: boolean) {
    this.#plan = plan;
    this.#observers = observers;
    this.#tracing = tracing;
  }

  /** What was noted, in the order in which it ended. */
  get entries(): readonly TraceEntry[] {
    return this.#tracing ? this.#list().map(toEntry) : [];
  }

  /** What the hooks added for the model, in order. */
  get added(): readonly string[] {
    return this.#added ?? [];
  }

  get failures(): readonly TenterhookError[] {
    return this.#failures ?? [];
  }

  /** Something went wrong that belongs to the outcome. */
  failure(error: TenterhookError): void {
    this.#failures ??= [];
    this.#failures.push(error);
  }

  /** A hook was asked and said nothing, and nobody was watching. */
  quiet(hook: HookDescriptor): void {
    if (this.#notes === undefined && this.#plan.quiet) this.#leading++;
    else if (this.#tracing) this.#list().push(hook);
  }

  /** The same for a hook that took its time. */
  quietAfter(hook: HookDescriptor, startedAt: number, durationMs: number): void {
    if (this.#tracing) this.#list().push(new TimedNote(hook, startedAt, durationMs));
  }

  /** A hook that was not asked, or was sent to the background. */
  passed(hook: HookDescriptor, verdict: "unmatched" | "started"): void {
    if (!this.#tracing) return;
    const entry = new TraceEntry(hook);
    entry.verdict = verdict;
    this.#list().push(entry);
  }

  /** A middleware changed the value on the way in; its answer is still to come. */
  changed(hook: HookDescriptor, pass: TraceEntry["pass"], changes: NonNullable<TraceEntry["changes"]>): void {
    if (!this.#tracing) return;
    const entry = new TraceEntry(hook);
    entry.pass = pass;
    entry.changes = changes;
    this.#list().push(entry);
  }

  /** A hook answered; `decision` is there when that ended the chain. */
  answered(asking: Asking, outcome: Outcome, decision?: Decision): void {
    const { entry } = asking;
    entry.verdict = outcome.type;
    entry.action = decision?.action ?? "go_on";
    entry.reason =
      decision === undefined ? reasonOf(outcome) : (reasonOf(decision.outcome) ?? reasonOf(outcome));
    if (outcome.type === "proceed" && outcome.context !== undefined && asking.pass === "first") {
      entry.context = outcome.context;
      this.#added ??= [];
      this.#added.push(outcome.context);
    }
    this.#write(asking);
    if (!this.#observers.watching) return;
    const { durationMs, reason } = entry;
    const { descriptor } = asking.hook;
    const judging = asking.pass === "judging";
    this.#observers.hookEvent("hook:completed", descriptor, durationMs, undefined, reason, judging);
    const refused = decision?.outcome.type === "block" || decision?.outcome.type === "stop";
    if (refused)
      this.#observers.hookEvent("hook:blocked", descriptor, durationMs, undefined, reason, judging);
  }

  /** A hook failed; `decides` when that ended the chain. What decides nothing is reported, so that somebody sees it. */
  failed(asking: Asking, action: TraceEntry["action"], error: TenterhookError, decides: boolean): void {
    this.failure(error);
    const { entry } = asking;
    entry.verdict = "failed";
    entry.action = action;
    entry.reason = error.message;
    entry.error = error;
    this.#write(asking);
    const { descriptor } = asking.hook;
    const judging = asking.pass === "judging";
    const told = (type: HookEventType, reason?: string) =>
      this.#observers.hookEvent(type, descriptor, entry.durationMs, error, reason, judging);
    if (error.code === "hook_timeout") told("hook:timeout");
    told("hook:error");
    if (decides) told("hook:blocked", error.message);
    else this.#observers.report(error);
  }

  /** The notes, written out. */
  #list(): Note[] {
    this.#notes ??= this.#plan.sync.slice(0, this.#leading).map(({ hook }) => hook.descriptor);
    return this.#notes;
  }

  #write(asking: Asking): void {
    if (this.#tracing) this.#list().push(asking.entry);
  }
}

function toEntry(note: Note): TraceEntry {
  if (note instanceof TraceEntry) return note;
  if (!(note instanceof TimedNote)) return new TraceEntry(note);
  const entry = new TraceEntry(note.hook);
  entry.startedAt = note.startedAt;
  entry.durationMs = note.durationMs;
  return entry;
}
