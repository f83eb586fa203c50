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
import type { DispatchVerdict } from "../answer/answer.ts";
import type { Plan } from "../plan/event-hooks.ts";
import type { HookLifecycleType } from "../trace/hook-lifecycle-event.ts";
import type { Observers } from "../trace/observers.ts";
import { type Trace, TraceEntry } from "../trace/trace.ts";
import type { HookCall, Pass } from "./hook-call.ts";

/** What of a dispatch is needed to write down what its hooks did. */
interface Recorded {
  readonly plan: Plan;
  readonly original: unknown;
  readonly observers: Observers;
}

/** Writes down what the hooks of one dispatch did: what each answered, what was added for the model, what failed. */
export class Recorder {
  /** How the dispatch ended, once it has. */
  verdict: DispatchVerdict | undefined = undefined;
  readonly #dispatch: Recorded;
  /** In the order in which the hooks ended. Of one that neither answered nor took time it is only the descriptor. */
  readonly #notes: (HookDescriptor | TraceEntry)[] | undefined;
  #added: string[] | undefined = undefined;
  #failures: TenterhookError[] | undefined = undefined;
  #notEnforced: TraceEntry[] | undefined = undefined;

  constructor(dispatch: Recorded, tracing: boolean) {
    this.#dispatch = dispatch;
    this.#notes = tracing ? [] : undefined;
  }

  /** What the hooks added for the model, in order. */
  get added(): readonly string[] {
    return this.#added ?? [];
  }

  get failures(): readonly TenterhookError[] {
    return this.#failures ?? [];
  }

  /** What hooks that are not enforced would have done, in order. */
  get notEnforced(): readonly TraceEntry[] {
    return this.#notEnforced ?? [];
  }

  /** The trace of the dispatch that has ended with this payload and outcome. */
  trace<E extends EventName>(payload: Payload<E>, outcome: Outcome): Trace<E> {
    const { hook: decidedBy, action = "go_on" } = this.verdict ?? {};
    const { plan, original } = this.#dispatch;
    return {
      event: plan.event as E,
      original: original as Immutable<Payload<E>>,
      final: payload as Immutable<Payload<E>>,
      outcome,
      action,
      ...(decidedBy !== undefined && { decidedBy }),
      entries: this.#entries(),
    };
  }

  #entries(): readonly TraceEntry[] {
    const { matchedAs } = this.#dispatch.plan;
    const notes = this.#notes ?? [];
    const entries = notes.map((note) => (note instanceof TraceEntry ? note : new TraceEntry(note)));
    for (const entry of entries)
      if (entry.verdict !== "unmatched") entry.matchedAs = matchedAs?.get(entry.hookId);
    return entries;
  }

  /** A hook was called, and neither answered nor took time. */
  quiet(hook: HookDescriptor): void {
    this.#notes?.push(hook);
  }

  /** A hook that was not called, or was started in the background. */
  notCalled(hook: HookDescriptor, verdict: "unmatched" | "started"): void {
    if (this.#notes === undefined) return;
    const entry = new TraceEntry(hook);
    entry.verdict = verdict;
    this.#notes.push(entry);
  }

  /** A middleware gave a change to `next`; its answer is still to come. */
  changed(hook: HookDescriptor, pass: Pass, changes: NonNullable<TraceEntry["changes"]>): void {
    const entry = new TraceEntry(hook);
    entry.pass = pass;
    entry.changes = changes;
    if (hook.enforce === false) this.#addNotEnforced(entry, "would_change");
    this.#notes?.push(entry);
  }

  /** A hook answered; `verdict` is given when that ended the dispatch. */
  answered(call: HookCall, outcome: Outcome, verdict?: DispatchVerdict): void {
    const { entry } = call;
    entry.verdict = outcome.type;
    entry.action = verdict?.action ?? "go_on";
    entry.reason = (verdict && reasonOf(verdict.outcome)) ?? reasonOf(outcome);
    if (outcome.type === "proceed" && outcome.context !== undefined && call.pass === "first") {
      entry.context = outcome.context;
      this.#added ??= [];
      this.#added.push(outcome.context);
    }
    this.#ended(call);
    if (verdict?.outcome.type === "block" || verdict?.outcome.type === "stop")
      this.#emit("hook:blocked", call, call.entry.reason);
  }

  /** A hook that is not enforced answered. */
  wouldHave(call: HookCall, verdict: WouldHave, outcome: Outcome): void {
    const { entry } = call;
    entry.reason = reasonOf(outcome);
    if (outcome.type === "proceed") entry.context = outcome.context;
    this.#addNotEnforced(entry, verdict);
    this.#ended(call);
  }

  /** A hook failed; `decides` when that ended the dispatch. A failure that decides nothing goes to `report`. */
  failed(call: HookCall, action: TraceEntry["action"], error: TenterhookError, decides: boolean): void {
    this.failure(error);
    const { entry } = call;
    entry.verdict = "failed";
    entry.action = action;
    entry.reason = error.message;
    entry.error = error;
    this.#notes?.push(entry);
    if (error.code === "hook_timeout") this.#emit("hook:timeout", call);
    this.#emit("hook:error", call);
    if (decides) this.#emit("hook:blocked", call, error.message);
    else this.#dispatch.observers.report(error);
  }

  /** Records an error that belongs to the verdict. */
  failure(error: TenterhookError): void {
    this.#failures ??= [];
    this.#failures.push(error);
  }

  #ended(call: HookCall): void {
    this.#notes?.push(call.entry);
    this.#emit("hook:completed", call, call.entry.reason);
  }

  #emit(type: HookLifecycleType, { hook, pass, entry }: HookCall, reason?: string): void {
    const { durationMs, error } = entry;
    this.#dispatch.observers.hookEvent(type, hook.descriptor, durationMs, error, reason, pass === "judging");
  }

  #addNotEnforced(entry: TraceEntry, verdict: WouldHave): void {
    entry.verdict = verdict;
    this.#notEnforced ??= [];
    this.#notEnforced.push(entry);
  }
}
