import {
  type EventName,
  type HookDescriptor,
  type Immutable,
  type Outcome,
  type Payload,
  reasonOf,
  type TenterhookError,
  type WouldHave,
} from "@tenterhook/protocol";
import type { DispatchVerdict } from "../answer/verdict.ts";
import type { Plan } from "../plan/plan.ts";
import type { DispatchRecord, EndedDispatch } from "../trace/dispatch-record.ts";
import type { HookLifecycleType } from "../trace/hook-lifecycle-event.ts";
import type { Observers } from "../trace/observers.ts";
import { quietEntries } from "../trace/quiet-trace.ts";
import type { Times } from "../trace/times.ts";
import { type Trace, TraceEntry } from "../trace/trace.ts";
import type { HookCall } from "./hook-call.ts";

/** A hook that took time and did not answer; it becomes a trace entry when the trace is read. */
class TimedNote {
  readonly hook: HookDescriptor;
  readonly startedAt: number;
  readonly durationMs: number | undefined;

  constructor(hook: HookDescriptor, startedAt: number, durationMs: number | undefined) {
    this.hook = hook;
    this.startedAt = startedAt;
    this.durationMs = durationMs;
  }
}

/** Most hooks neither answer nor take time: of those only the descriptor is noted. */
type Note = HookDescriptor | TimedNote | TraceEntry;

/** Writes the trace of one dispatch: what each hook answered, what was added for the model, what failed. */
export class TraceRecorder implements DispatchRecord {
  /** How the dispatch ended, once it has. */
  verdict: DispatchVerdict | undefined;
  readonly #plan: Plan;
  /** How many hooks were called before the bookkeeping began, and when they were; none of them answered. */
  #earlierCount = 0;
  #earlierTimes: Times | undefined;
  #notes: Note[] | undefined;
  #added: string[] | undefined;
  #failures: TenterhookError[] | undefined;
  #notEnforced: TraceEntry[] | undefined;
  readonly #observers: Observers;
  readonly #tracing: boolean;
  #original: unknown;

  constructor(plan: Plan, observers: Observers, tracing: boolean) {
    this.#plan = plan;
    this.#observers = observers;
    this.#tracing = tracing;
  }

  /** So many hooks were called before, and did not answer. */
  continueAfter(count: number, times: Times | undefined): void {
    this.#earlierCount = count;
    this.#earlierTimes = times;
  }

  /** The dispatch has ended, and this was its payload before any hook changed it. */
  close(verdict: DispatchVerdict | undefined, original: unknown): void {
    this.verdict = verdict;
    this.#original = original;
  }

  /** The trace; its entries are in the order in which the hooks ended. */
  traceOf<E extends EventName>({ event, payload, outcome }: EndedDispatch<E>): Trace<E> {
    const { hook: decidedBy, action = "go_on" } = this.verdict ?? {};
    return {
      event,
      original: this.#original as Immutable<Payload<E>>,
      final: payload as Immutable<Payload<E>>,
      outcome,
      action,
      ...(decidedBy !== undefined && { decidedBy }),
      entries: this.#tracing ? this.#entries() : [],
    };
  }

  #entries(): readonly TraceEntry[] {
    const { matchedAs, descriptors } = this.#plan;
    const earlier = quietEntries(descriptors.slice(0, this.#earlierCount), this.#earlierTimes);
    const entries = [...earlier, ...(this.#notes ?? []).map(toEntry)];
    if (matchedAs !== undefined && matchedAs.size > 0)
      for (const entry of entries)
        if (entry.verdict !== "unmatched") entry.matchedAs = matchedAs.get(entry.hookId);
    return entries;
  }

  /** What the hooks added for the model, in order. */
  get added(): readonly string[] {
    return this.#added ?? [];
  }

  get failures(): readonly TenterhookError[] {
    return this.#failures ?? [];
  }

  get notEnforced(): readonly TraceEntry[] {
    return this.#notEnforced ?? [];
  }

  /** Records an error that belongs to the verdict. */
  failure(error: TenterhookError): void {
    this.#failures ??= [];
    this.#failures.push(error);
  }

  /** A hook was called and did not answer. The times are absent for one that ended in the tick it began in. */
  quiet(hook: HookDescriptor, isObserved: boolean, startedAt?: number, durationMs?: number): void {
    if (isObserved) this.#observers.hookEvent("hook:completed", hook, durationMs);
    this.#note(startedAt === undefined ? hook : new TimedNote(hook, startedAt, durationMs));
  }

  /** A hook that was not called, or was started in the background. */
  notCalled(hook: HookDescriptor, verdict: "unmatched" | "started"): void {
    const entry = new TraceEntry(hook);
    entry.verdict = verdict;
    this.#note(entry);
  }

  /** A middleware gave a change to `next`; its answer is still to come. */
  changed(hook: HookDescriptor, pass: TraceEntry["pass"], changes: NonNullable<TraceEntry["changes"]>): void {
    const entry = new TraceEntry(hook);
    entry.pass = pass;
    entry.changes = changes;
    if (hook.enforce === false) this.#addNotEnforced(entry, "would_change");
    this.#note(entry);
  }

  /** A hook answered; `verdict` is given when that ended the dispatch. */
  answered(call: HookCall, outcome: Outcome, verdict?: DispatchVerdict): void {
    const { entry } = call;
    entry.verdict = outcome.type;
    entry.action = verdict?.action ?? "go_on";
    entry.reason =
      verdict === undefined ? reasonOf(outcome) : (reasonOf(verdict.outcome) ?? reasonOf(outcome));
    if (outcome.type === "proceed" && outcome.context !== undefined && call.pass === "first") {
      entry.context = outcome.context;
      this.#added ??= [];
      this.#added.push(outcome.context);
    }
    this.#note(entry);
    if (!this.#observers.watching) return;
    const { durationMs, reason } = entry;
    const { descriptor } = call.hook;
    const judging = call.pass === "judging";
    this.#observers.hookEvent("hook:completed", descriptor, durationMs, undefined, reason, judging);
    const refused = verdict?.outcome.type === "block" || verdict?.outcome.type === "stop";
    if (refused)
      this.#observers.hookEvent("hook:blocked", descriptor, durationMs, undefined, reason, judging);
  }

  /** A hook that is not enforced answered. */
  wouldHave(call: HookCall, verdict: WouldHave, outcome: Outcome): void {
    const { entry, pass } = call;
    entry.reason = reasonOf(outcome);
    if (outcome.type === "proceed") entry.context = outcome.context;
    this.#addNotEnforced(entry, verdict);
    this.#note(entry);
    const { durationMs, reason } = entry;
    const { descriptor } = call.hook;
    this.#observers.hookEvent(
      "hook:completed",
      descriptor,
      durationMs,
      undefined,
      reason,
      pass === "judging",
    );
  }

  /** A hook failed; `decides` when that ended the dispatch. A failure that decides nothing goes to `report`. */
  failed(call: HookCall, action: TraceEntry["action"], error: TenterhookError, decides: boolean): void {
    this.failure(error);
    const { entry } = call;
    entry.verdict = "failed";
    entry.action = action;
    entry.reason = error.message;
    entry.error = error;
    this.#note(entry);
    const { descriptor } = call.hook;
    const judging = call.pass === "judging";
    const emit = (type: HookLifecycleType, reason?: string) =>
      this.#observers.hookEvent(type, descriptor, entry.durationMs, error, reason, judging);
    if (error.code === "hook_timeout") emit("hook:timeout");
    emit("hook:error");
    if (decides) emit("hook:blocked", error.message);
    else this.#observers.report(error);
  }

  #addNotEnforced(entry: TraceEntry, verdict: WouldHave): void {
    entry.verdict = verdict;
    this.#notEnforced ??= [];
    this.#notEnforced.push(entry);
  }

  #note(note: Note): void {
    if (!this.#tracing) return;
    this.#notes ??= [];
    this.#notes.push(note);
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
