import { readable } from "@tenterhook/internal";
import {
  block,
  type EventName,
  type EventRow,
  eventRow,
  type HookDescriptor,
  type Immutable,
  type Outcome,
  type Payload,
  proceed,
  reasonOf,
  stop,
  TenterhookError,
  type WouldHave,
} from "@tenterhook/protocol";
import { type DispatchVerdict, type FieldChange, mayReplace, verdictFor } from "../answer/answer.ts";
import { cancelled, textOf, timedOut, whose } from "../answer/failure.ts";
import type { DispatchOptions } from "../context/dispatch-options.ts";
import { type Context, type HookRunContext, newContext, runContextOf } from "../context/hook-context.ts";
import { matchAnyName } from "../match/any-name.ts";
import { type Match, PatternBudget } from "../match/pattern.ts";
import { MatchSubject } from "../match/subject.ts";
import type { Plan, PlannedHook } from "../plan/event-hooks.ts";
import type { Hook } from "../register/hook.ts";
import type { HookLifecycleType } from "../trace/hook-lifecycle-event.ts";
import { type Observers, type Trace, TraceEntry } from "../trace/trace.ts";
import type { HookCall, Pass } from "./hook-call.ts";

/** One dispatch while its hooks run: the payload as they have changed it so far, the trace, and how it ends. */
export class DispatchState<E extends EventName> {
  readonly plan: Plan;
  readonly options: DispatchOptions<E> | undefined;
  readonly observers: Observers;
  readonly recorder: Recorder;
  readonly original: Immutable<Payload<E>>;
  payload: Immutable<Payload<E>>;
  /** What the next hook is given. */
  context: Context<E>;
  /** Hooks before this index have judged a value that has changed since. */
  judgeAgainBefore = 0;
  /** Present when it is decided how the dispatch ends. */
  verdict: DispatchVerdict | undefined = undefined;
  /** The hooks that are not enforced and have objected: an enforced one would not be called again. */
  objected: Set<Hook> | undefined = undefined;
  /** A stop gate that failed: the agent stops, marked, unless another gate keeps it running. */
  #releaseVerdict: DispatchVerdict | undefined = undefined;
  #subject: MatchSubject | undefined = undefined;
  #budget: PatternBudget | undefined = undefined;

  constructor(
    { observers, tracing }: { readonly observers: Observers; readonly tracing: boolean },
    plan: Plan,
    payload: Payload<E>,
    options: DispatchOptions<E> | undefined,
  ) {
    this.plan = plan;
    this.options = options;
    this.observers = observers;
    this.original = payload as Immutable<Payload<E>>;
    this.payload = this.original;
    this.context = newContext(plan.event as E, payload, options);
    this.recorder = new Recorder(this, tracing);
  }

  get row(): EventRow {
    return eventRow(this.plan.event);
  }

  get fields(): Readonly<Record<string, unknown>> {
    return this.payload as Readonly<Record<string, unknown>>;
  }

  get isChanged(): boolean {
    return this.payload !== this.original;
  }

  /** What the hooks share at the moment. */
  get runContext(): HookRunContext {
    return runContextOf(this.context);
  }

  /** Whether hooks are still called. The host's signal is read before each of them, because the one before may have aborted it. */
  goesOn(): boolean {
    const signal = this.options?.signal;
    if (signal?.aborted) this.cancel(signal.reason);
    return this.verdict === undefined;
  }

  /** Whether a planned hook is called for the value as it is now; a predicate that throws is the hook's failure. */
  matches({ hook, matcher }: PlannedHook): Match | TenterhookError {
    if (matcher === undefined) return "yes";
    this.#subject ??= new MatchSubject(this.plan.event, this.payload, this.context);
    this.#budget ??= new PatternBudget();
    try {
      const match = matchAnyName(matcher, this.#subject, this.#budget);
      // A matcher of a user may return anything; one that does not say no counts as undecided.
      return match === "yes" || match === "no" ? match : "unknown";
    } catch (error) {
      const message = `its matcher threw: ${textOf(error)}.`;
      const cause = readable(error);
      return new TenterhookError("matcher_threw", message, { ...whose(hook.descriptor), cause });
    }
  }

  /** Whether the second judgement leaves a hook out. */
  isCalledOnce(hook: Hook): boolean {
    return !hook.descriptor.rejudge || this.objected?.has(hook) === true;
  }

  /** The payload with changes, which `replace` makes the current one. */
  with(changes: readonly FieldChange[]): Immutable<Payload<E>> {
    const fields = Object.fromEntries(changes.map(({ field, after }) => [field, after]));
    const changed = { ...this.payload, ...fields };
    Object.freeze(changed);
    return changed;
  }

  /** Hooks before this index have judged another value; the hook at it has not, nor have the hooks behind it. */
  replace(payload: Immutable<Payload<E>>, at: number): void {
    this.payload = payload;
    this.judgeAgainBefore = Math.max(this.judgeAgainBefore, at);
    this.#renewContext(this.runContext);
  }

  /** From now on guards are called again, about the value that will really be used. */
  startJudging(): void {
    const { runContext } = this;
    this.#renewContext(runContext.fork(true));
    runContext.release();
  }

  /** A hook answered with something other than a change; `verdict` is given where it differs from what the outcome means. */
  accept(call: HookCall, outcome: Outcome, verdict = this.#verdictOf(call, outcome)): void {
    this.decide(verdict);
    this.recorder.answered(call, outcome, verdict);
  }

  decide(verdict: DispatchVerdict): void {
    if (this.verdict === undefined || mayReplace(this.verdict.outcome, verdict.outcome))
      this.verdict = verdict;
  }

  /** A hook threw, timed out or returned no outcome of its event: its `onError` and the event's row give that a meaning. */
  fail(call: HookCall, error: TenterhookError): void {
    const { onError, name } = call.hook.descriptor;
    const action = onError === "continue" || !call.isEnforced ? "go_on" : this.row.failure.action;
    const decides = action === "refuse" || action === "fail" || action === "raise";
    if (decides)
      this.decide({ outcome: block(`${error.message} Its onError is block.`), action, hook: name, error });
    else if (action === "release") this.#releaseVerdict ??= { outcome: proceed(), action, hook: name, error };
    this.recorder.failed(call, action, error, decides);
    call.reportShadow({ error: readable(error.cause ?? error) });
  }

  /** A hook's time is up. The signal that it holds fires; the hooks to come get a new one. Returns the hook's failure. */
  expire(hook: HookDescriptor): TenterhookError {
    const error = timedOut(hook);
    const late = this.runContext;
    this.#renewContext(late.fork());
    late.abort(error);
    return error;
  }

  /** The host cancelled: no other hook is called, and the dispatch ends as `stop`. A hook that was running is recorded. */
  cancel(reason: unknown, call?: HookCall): void {
    const action = this.row.stop;
    if (call !== undefined) this.recorder.failed(call, action, cancelled(call.hook.descriptor, reason), true);
    this.verdict = { outcome: stop(`cancelled: ${textOf(reason)}`), action };
  }

  /** No hook is called any more. */
  close(): void {
    if (this.options?.signal !== undefined) this.runContext.release();
    this.verdict ??= this.#releaseVerdict;
    this.recorder.verdict = this.verdict;
  }

  #verdictOf(call: HookCall, outcome: Outcome): DispatchVerdict {
    return verdictFor(this.plan.event, outcome, call.hook.descriptor.name);
  }

  #renewContext(runContext: HookRunContext): void {
    this.#subject = undefined;
    this.context = newContext(this.plan.event as E, this.payload, runContext);
  }
}

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
