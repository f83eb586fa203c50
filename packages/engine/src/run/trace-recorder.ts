import {
  type EventName,
  type HookDescriptor,
  type Immutable,
  type Outcome,
  type Payload,
  reasonOf,
  type TenterhookError,
} from "@tenterhook/protocol";
import type { Verdict } from "../answer/verdict.ts";
import type { Plan } from "../plan/plan.ts";
import type { DispatchRecord, EndedDispatch } from "../trace/dispatch-record.ts";
import type { HookLifecycleType } from "../trace/hook-lifecycle-event.ts";
import type { Observers } from "../trace/observers.ts";
import { quietEntries } from "../trace/quiet-trace.ts";
import type { Times } from "../trace/times.ts";
import { type Trace, TraceEntry } from "../trace/trace.ts";
import type { HookCall } from "./hook-call.ts";

/** Writes the trace of one dispatch: what each hook answered, what was added for the model, what failed. */
export class TraceRecorder implements DispatchRecord {
  /** How the dispatch ended, once it has. */
  verdict: Verdict | undefined;
  readonly #plan: Plan;
  /** How many hooks were called before the bookkeeping began, and when they were; none of them answered. */
  #earlierCount = 0;
  #earlierTimes: Times | undefined;
  /** A hook that did not answer is noted as its call, which makes an entry when the trace is read. */
  #notes: (HookCall | TraceEntry)[] | undefined;
  #added: string[] | undefined;
  #failures: TenterhookError[] | undefined;
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
  close(verdict: Verdict | undefined, original: unknown): void {
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
    const noted = this.#notes?.map((note) => (note instanceof TraceEntry ? note : note.entry)) ?? [];
    const entries = [...earlier, ...noted];
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

  /** Records an error that belongs to the verdict. */
  failure(error: TenterhookError): void {
    this.#failures ??= [];
    this.#failures.push(error);
  }

  /** A hook was called and did not answer. */
  quiet(call: HookCall): void {
    if (call.isObserved) this.#observers.hookEvent("hook:completed", call.hook.descriptor, call.durationMs, undefined, undefined, call.pass === "judging");
    // By the clock of the tick: it ended in the one it began in.
    else if (call.durationMs === 0) call.clearTimes();
    this.#note(call);
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
    this.#note(entry);
  }

  /** A hook answered; `verdict` is given when that ended the dispatch. */
  answered(call: HookCall, outcome: Outcome, verdict?: Verdict): void {
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
    this.#note(call);
    if (!this.#observers.watching) return;
    const { durationMs, reason } = entry;
    const { descriptor } = call.hook;
    const judging = call.pass === "judging";
    this.#observers.hookEvent("hook:completed", descriptor, durationMs, undefined, reason, judging);
    const refused = verdict?.outcome.type === "block" || verdict?.outcome.type === "stop";
    if (refused)
      this.#observers.hookEvent("hook:blocked", descriptor, durationMs, undefined, reason, judging);
  }

  /** A hook failed; `decides` when that ended the dispatch. A failure that decides nothing goes to `report`. */
  failed(call: HookCall, action: TraceEntry["action"], error: TenterhookError, decides: boolean): void {
    this.failure(error);
    const { entry } = call;
    entry.verdict = "failed";
    entry.action = action;
    entry.reason = error.message;
    entry.error = error;
    this.#note(call);
    const { descriptor } = call.hook;
    const judging = call.pass === "judging";
    const emit = (type: HookLifecycleType, reason?: string) =>
      this.#observers.hookEvent(type, descriptor, entry.durationMs, error, reason, judging);
    if (error.code === "hook_timeout") emit("hook:timeout");
    emit("hook:error");
    if (decides) emit("hook:blocked", error.message);
    else this.#observers.report(error);
  }

  #note(note: HookCall | TraceEntry): void {
    if (!this.#tracing) return;
    this.#notes ??= [];
    this.#notes.push(note);
  }
}
