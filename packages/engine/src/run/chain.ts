import {
  block,
  type EventName,
  type EventRow,
  eventRow,
  type Immutable,
  messageOf,
  type Outcome,
  type Payload,
  proceed,
  stop,
  TenterhookError,
} from "@tenterhook/protocol";
import type { Match } from "../match/match.ts";
import { PatternBudget } from "../match/pattern-budget.ts";
import { MatchSubject } from "../match/subject.ts";
import type { Plan, PlannedHook } from "../plan/plan.ts";
import type { Hook } from "../register/hook.ts";
import type { FieldChange } from "../trace/trace.ts";
import { checkObserver, readAnswer, readPatch } from "./answer.ts";
import { requestApproval } from "./approval.ts";
import { type Asking, type Handed, Thrown } from "./asking.ts";
import { checked } from "./checked.ts";
import { type Decision, decisionFor, isRefusal, mayReplace } from "./decision.ts";
import { Dispatch } from "./dispatch.ts";
import { asFailure, cancelled, timedOut, whose } from "./failure.ts";
import { type Context, HookContext } from "./hook-context.ts";
import { Ledger } from "./ledger.ts";
import { newContext } from "./new-context.ts";
import type { Runtime } from "./runtime.ts";
import type { DispatchOptions, Scope } from "./scope.ts";
import { Segment } from "./segment.ts";
import type { WatchedStop } from "./watched.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * One dispatch with bookkeeping: runs the sync hooks in order, folds their changes, asks earlier guards again about
 * the final value, and ends in one decision. It is synchronous for as long as the hooks are.
 */
export class Chain<E extends EventName> {
  readonly plan: Plan;
  readonly runtime: Runtime;
  readonly options: DispatchOptions<E> | undefined;
  readonly ledger: Ledger;
  readonly original: Immutable<Payload<E>>;
  payload: Immutable<Payload<E>>;
  context: Context<E>;
  decision: Decision | undefined;
  readonly #row: EventRow;
  #subject: MatchSubject | undefined;
  #budget: PatternBudget | undefined;
  /** A stop gate that could not judge: the agent stops, marked, unless another gate holds it. */
  #released: Decision | undefined;
  /** Everyone before this place has judged a value that has changed since. */
  #changedBefore = 0;
  #closed = false;

  constructor(runtime: Runtime, plan: Plan, context: Context<E>, options: DispatchOptions<E> | undefined) {
    this.runtime = runtime;
    this.plan = plan;
    this.options = options;
    this.ledger = new Ledger(plan, runtime.observers, runtime.tracing);
    this.original = context.payload as Immutable<Payload<E>>;
    this.payload = this.original;
    this.context = context;
    this.#row = eventRow(plan.event);
  }

  run(): Dispatch<E> | Promise<Dispatch<E>> {
    const signal = this.options?.signal;
    if (signal?.aborted) {
      this.cancel(signal.reason);
      return this.#close();
    }
    return new Segment(this, "first", 0, this.plan.sync.length).start(() => this.#judge());
  }

  /** Goes on from a quiet run in which the hook at this place said something. */
  resume(from: number, said: Handed): Dispatch<E> | Promise<Dispatch<E>> {
    for (let index = 0; index < from; index++) {
      const quiet = this.plan.sync[index];
      if (quiet !== undefined) this.ledger.quiet(quiet.hook.descriptor);
    }
    return new Segment(this, "first", from, this.plan.sync.length).startWith(said, () => this.#judge());
  }

  /** Goes on from a watched run, whose listeners have followed the hook that said something. */
  resumeWatched({ index: from, times, begun, said }: WatchedStop): Dispatch<E> | Promise<Dispatch<E>> {
    for (let index = 0; index < from; index++) {
      const quiet = this.plan.sync[index];
      if (quiet !== undefined)
        this.ledger.quietAfter(quiet.hook.descriptor, times.startOf(index), times.durationOf(index));
    }
    const segment = new Segment(this, "first", from, this.plan.sync.length);
    return segment.startBegun(begun, said, () => this.#judge());
  }

  /** A guard that passed before a later change is asked once more, about the value that will really be used. */
  #judge(): Dispatch<E> | Promise<Dispatch<E>> {
    if (this.payload === this.original || this.decision !== undefined) return this.#close();
    if (this.#changedBefore === 0 || this.#row.block.action === "record") return this.#permit();
    this.#renew(this.#scope.fork({ judging: true }));
    return new Segment(this, "judging", 0, this.#changedBefore).start(() => this.#permit());
  }

  /** The host's own permission check, on a value that it has not seen. */
  #permit(): Dispatch<E> | Promise<Dispatch<E>> {
    if (this.decision !== undefined || this.options?.permit === undefined) return this.#close();
    const waiting = checked(
      () => this.options?.permit?.(this.payload as Payload<E>),
      (refusal) => {
        if (refusal !== undefined) this.decision ??= decisionFor(this.plan.event, block(refusal));
      },
    );
    return waiting === undefined ? this.#close() : waiting.then(() => this.#close());
  }

  #close(): Dispatch<E> {
    this.#closed = true;
    if (this.options?.signal !== undefined) this.#scope.release();
    this.decision ??= this.#released;
    const outcome = this.decision?.outcome ?? proceed();
    const dispatch = new Dispatch<E>(
      this.plan.event as E,
      this.payload as Payload<E>,
      outcome,
      this.plan,
      this,
    );
    const { background, observers } = this.runtime;
    if (this.plan.background.length > 0) background.start(this, this.#scope);
    observers.trace(dispatch);
    return dispatch;
  }

  /** What the hooks share at the moment. */
  get #scope(): Scope {
    return HookContext.scopeOf(this.context);
  }

  /** Whether a planned hook is asked about the value as it is now; a predicate that throws is the hook's failure. */
  matches({ hook, matcher }: PlannedHook): Match | TenterhookError {
    if (matcher === undefined) return "yes";
    this.#subject ??= new MatchSubject(this.plan.event, this.payload, this.context);
    this.#budget ??= new PatternBudget();
    try {
      return matcher.match(this.#subject, this.#budget);
    } catch (error) {
      const said = `its matcher threw: ${messageOf(error)}.`;
      return new TenterhookError("matcher_threw", said, { ...whose(hook.descriptor), cause: error });
    }
  }

  /** Takes what a hook said. Returns a promise when a person or the host must be asked before the chain goes on. */
  accept(at: number, asking: Asking, handed: Handed): Promise<void> | undefined {
    const { name } = asking.hook.descriptor;
    const { event } = this.plan;
    let outcome: Outcome;
    let changes: readonly FieldChange[] | undefined;
    try {
      if (handed instanceof Thrown) throw handed.error;
      outcome = readAnswer(event, name, handed);
      if (asking.hook.descriptor.observes) checkObserver(event, name, outcome);
      if (outcome.type === "proceed" && outcome.patch !== undefined) {
        changes = readPatch(event, name, this.payload as Fields, outcome.patch);
      }
    } catch (error) {
      this.fail(asking, asFailure(error, asking.hook.descriptor));
      return;
    }
    // A middleware that hands on what was decided further in has decided nothing itself.
    if (outcome === this.decision?.outcome) outcome = proceed();
    // The second judgement only judges: what it would have changed, skipped or recovered is not done.
    if (asking.pass === "judging" && !isRefusal(outcome)) outcome = proceed();
    else if (outcome.type === "ask") return this.#ask(at, asking, outcome);
    else if (outcome.type === "proceed" && changes !== undefined && changes.length > 0) {
      return this.#change(at, asking, outcome, changes);
    }
    const decision = outcome.type === "proceed" ? undefined : decisionFor(event, outcome, name);
    if (decision !== undefined) this.#decide(decision);
    this.ledger.answered(asking, outcome, decision);
    return;
  }

  /** A hook threw, timed out or answered nonsense: its `onError` and the event's row say what that means. */
  fail(asking: Asking, error: TenterhookError): void {
    const { onError, name } = asking.hook.descriptor;
    const action = onError === "continue" ? "go_on" : this.#row.failure.action;
    const decides = action === "refuse" || action === "fail" || action === "raise";
    if (decides)
      this.#decide({ outcome: block(`${error.message} It says onError: block.`), action, hook: name, error });
    else if (action === "release") this.#released ??= { outcome: proceed(), action, hook: name, error };
    this.ledger.failed(asking, action, error, decides);
  }

  /** A hook's time is up. Whoever still holds the old signal is told; the hooks to come get a new one. */
  expire(asking: Asking): void {
    const error = timedOut(asking.hook.descriptor);
    const late = this.#scope;
    this.#renew(late.fork());
    late.abort(error);
    this.fail(asking, error);
  }

  /** The host cancelled: nothing else is asked, and the dispatch ends as `stop`. A hook that was running is noted. */
  cancel(reason: unknown, asking?: Asking): void {
    if (this.#closed) return;
    const action = this.#row.stop;
    if (asking !== undefined)
      this.ledger.failed(asking, action, cancelled(asking.hook.descriptor, reason), true);
    this.decision = { outcome: stop(`cancelled: ${messageOf(reason)}`), action };
  }

  /** Applies a change that a middleware hands to `next`; throws when the event, or the host, does not allow it. */
  changeFor(at: number, { hook, pass }: Asking, patch: object): Promise<void> | undefined {
    if (patch === this.context) return;
    if (hook.descriptor.observes) checkObserver(this.plan.event, hook.descriptor.name, proceed(patch));
    const changes = readPatch(this.plan.event, hook.descriptor.name, this.payload as Fields, patch);
    if (changes.length === 0) return;
    const changed = withChanges(this.payload, changes);
    return checked(
      () => this.options?.validate?.(changed as Payload<E>),
      (wrong) => {
        if (wrong !== undefined) throw badChange(hook, wrong);
        if (this.#closed) return;
        this.#apply(at, changed);
        this.ledger.changed(hook.descriptor, pass, changes);
      },
    );
  }

  /** Checks a change with the host, then applies it; what the host finds wrong with it goes to `refused`. */
  #change(
    at: number,
    asking: Asking,
    outcome: Outcome,
    changes: readonly FieldChange[],
    refused = (wrong: string) => this.fail(asking, badChange(asking.hook, wrong)),
  ): Promise<void> | undefined {
    const changed = withChanges(this.payload, changes);
    return checked(
      () => this.options?.validate?.(changed as Payload<E>),
      (wrong) => {
        if (this.#closed) return;
        if (wrong !== undefined) {
          refused(wrong);
          return;
        }
        this.#apply(at, changed);
        asking.entry.changes = changes;
        this.ledger.answered(asking, outcome);
      },
    );
  }

  #ask(at: number, asking: Asking, asked: Outcome & { type: "ask" }): Promise<void> | undefined {
    if (this.options?.approve !== undefined) return this.#askApprover(at, asking, asked);
    const why = `${asked.reason} (this needs a person's approval, and no approver is connected)`;
    this.#refuse(asking, asked, why);
    return;
  }

  async #askApprover(at: number, asking: Asking, asked: Outcome & { type: "ask" }): Promise<void> {
    const { approve } = this.options ?? {};
    if (approve === undefined) return;
    const { edits } = this.#row;
    const decided = await requestApproval(approve, {
      event: this.plan.event,
      hook: asking.hook.descriptor.name,
      reason: asked.reason,
      payload: this.payload as Immutable<Payload<EventName>>,
      ...(asking.pass === "first" && edits !== undefined && { edits }),
      signal: this.#scope.signal,
    });
    // Cancelled while the person was thinking.
    if (this.#closed || this.decision !== undefined) return;
    asking.entry.approval = decided.type;
    switch (decided.type) {
      case "reject":
        if (decided.error !== undefined) this.ledger.failure(decided.error);
        this.#refuse(asking, asked, decided.reason ?? `${asked.reason} (rejected)`, decided.error);
        return;
      case "approve":
        this.ledger.answered(asking, asked);
        return;
      case "edit": {
        // requestApproval lets an edit through only where the row has a field to edit.
        const field = edits ?? "";
        const change = { field, before: (this.payload as Fields)[field], after: decided.value };
        const refused = (wrong: string) =>
          this.#refuse(asking, asked, `The edited value was refused: ${wrong}`);
        await this.#change(at, asking, asked, [change], refused);
      }
    }
  }

  #refuse(asking: Asking, asked: Outcome, reason: string, error?: TenterhookError): void {
    const refusal = decisionFor(this.plan.event, block(reason), asking.hook.descriptor.name);
    const decision = error === undefined ? refusal : { ...refusal, error };
    this.#decide(decision);
    this.ledger.answered(asking, asked, decision);
  }

  /** Whoever comes before this place has judged another value; the hook itself has not, nor has anyone behind it. */
  #apply(at: number, payload: Immutable<Payload<E>>): void {
    this.payload = payload;
    this.#changedBefore = Math.max(this.#changedBefore, at);
    this.#renew(this.#scope);
  }

  #renew(scope: Scope): void {
    this.#subject = undefined;
    this.context = newContext(this.plan.event as E, this.payload, scope);
  }

  #decide(decision: Decision): void {
    if (this.decision === undefined || mayReplace(this.decision.outcome, decision.outcome))
      this.decision = decision;
  }
}

function withChanges<T extends object>(payload: T, changes: readonly FieldChange[]): T {
  return { ...payload, ...Object.fromEntries(changes.map(({ field, after }) => [field, after])) };
}

function badChange(hook: Hook, wrong: string): TenterhookError {
  return new TenterhookError("bad_patch", `its change was refused: ${wrong}`, whose(hook.descriptor));
}
