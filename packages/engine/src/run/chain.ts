import {
  type Block,
  block,
  type EventName,
  type EventRow,
  eventRow,
  type HookDescriptor,
  type Immutable,
  messageOf,
  type Outcome,
  type Payload,
  proceed,
  reasonOf,
  stop,
  TenterhookError,
} from "@tenterhook/protocol";
import { PatternBudget } from "../match/pattern-budget.ts";
import { MatchSubject } from "../match/subject.ts";
import type { Plan, PlannedHook } from "../plan/plan.ts";
import type { Observers } from "../trace/observers.ts";
import { entryFor, type FieldChange, type TraceEntry } from "../trace/trace.ts";
import { readAnswer, readPatch } from "./answer.ts";
import { requestApproval } from "./approval.ts";
import type { Facts, Handed } from "./asking.ts";
import type { Background } from "./background.ts";
import { type Decision, decisionFor, mayReplace } from "./decision.ts";
import { Dispatch } from "./dispatch.ts";
import { asFailure, timedOut, whose } from "./failure.ts";
import type { Context } from "./hook-context.ts";
import { newContext } from "./new-context.ts";
import type { DispatchOptions, Scope } from "./scope.ts";
import { Segment } from "./segment.ts";

/** What all dispatches of one set of hooks share. */
export interface Runtime {
  readonly observers: Observers;
  readonly background: Background;
  /** Whether entries are kept for the trace. */
  readonly tracing: boolean;
}

export type Pass = "first" | "judging";

/**
 * One dispatch with bookkeeping: runs the sync hooks in order, folds their changes, asks earlier guards again about
 * the final value, and ends in one decision. It is synchronous for as long as the hooks are.
 */
export class Chain<E extends EventName> {
  readonly plan: Plan;
  readonly runtime: Runtime;
  readonly options: DispatchOptions<E> | undefined;
  readonly row: EventRow;
  readonly original: Immutable<Payload<E>>;
  payload: Immutable<Payload<E>>;
  context: Context<E>;
  decision: Decision | undefined;
  /** A stop gate that could not judge: the agent stops, marked, unless another gate holds it. */
  released: Decision | undefined;
  readonly entries: TraceEntry[] = [];
  /** What was noted last, also when no trace is kept. */
  lastEntry: TraceEntry | undefined;
  readonly added: string[] = [];
  readonly failures: TenterhookError[] = [];
  #scope: Scope;
  #subject: MatchSubject | undefined;
  readonly #budget = new PatternBudget();
  /** One past the last hook after which the value changed: everyone before it judged something else. */
  #changedBefore = 0;
  #closed = false;

  constructor(
    runtime: Runtime,
    plan: Plan,
    context: Context<E>,
    scope: Scope,
    options: DispatchOptions<E> | undefined,
  ) {
    this.runtime = runtime;
    this.plan = plan;
    this.options = options;
    this.row = eventRow(plan.event);
    this.original = context.payload as Immutable<Payload<E>>;
    this.payload = this.original;
    this.context = context;
    this.#scope = scope;
  }

  /** Runs from the given hook on; `handed` is what that hook already said in a quiet run. */
  run(from = 0, handed?: Handed): Dispatch<E> | Promise<Dispatch<E>> {
    for (const quiet of this.plan.sync.slice(0, from)) this.#note(quiet.hook.descriptor, "first", proceed(), {});
    const steps = [() => this.#firstPass(from, handed), () => this.#secondPass(), () => this.#permit()];
    for (let index = 0; index < steps.length; index++) {
      const waiting = steps[index]?.();
      if (waiting !== undefined) return this.#rest(waiting, steps.slice(index + 1));
    }
    return this.#close();
  }

  async #rest(waiting: Promise<void>, steps: readonly (() => Promise<void> | undefined)[]): Promise<Dispatch<E>> {
    await waiting;
    for (const step of steps) await step();
    return this.#close();
  }

  #firstPass(from: number, handed: Handed | undefined): Promise<void> | undefined {
    if (this.options?.signal?.aborted) return this.cancel(this.options.signal.reason);
    return new Segment(this, "first", from, this.plan.sync.length).start(handed);
  }

  /** A guard that passed before a later change is asked once more, about the value that will really be used. */
  #secondPass(): Promise<void> | undefined {
    if (this.decision !== undefined || this.#changedBefore === 0 || this.row.block.action === "record") return;
    this.#renew(this.#scope.fork({ judging: true }));
    return new Segment(this, "judging", 0, this.#changedBefore).start();
  }

  /** The host's own permission check, on a value that it has not seen. */
  #permit(): Promise<void> | undefined {
    if (this.decision !== undefined || this.payload === this.original || this.options?.permit === undefined) return;
    const judge = (refusal: string | undefined) => {
      if (refusal !== undefined) this.decision ??= decisionFor(this.plan.event, block(refusal));
    };
    return checked(() => this.options?.permit?.(this.payload as Payload<E>), judge);
  }

  #close(): Dispatch<E> {
    this.#closed = true;
    this.#scope.release();
    this.decision ??= this.released;
    const dispatch = new Dispatch<E>(
      this.plan.event as E,
      this.payload as Payload<E>,
      this.decision?.outcome ?? proceed(),
      this.plan,
      this,
    );
    const { background, observers } = this.runtime;
    if (this.plan.background.length > 0) background.start(this, this.#scope);
    observers.trace(() => dispatch.trace);
    return dispatch;
  }

  /** Whether a planned hook is asked about the value as it is now; a predicate that throws is the hook's failure. */
  matches({ hook, matcher }: PlannedHook): "yes" | "no" | "unknown" | TenterhookError {
    if (matcher === undefined) return "yes";
    this.#subject ??= new MatchSubject(this.plan.event, this.payload, this.context);
    try {
      return matcher.match(this.#subject, this.#budget);
    } catch (error) {
      return new TenterhookError("matcher_threw", `its matcher threw: ${messageOf(error)}.`, {
        ...whose(hook.descriptor),
        cause: error,
      });
    }
  }

  noteUnmatched(hook: HookDescriptor, pass: Pass): void {
    if (pass === "first") this.#record({ ...entryFor(hook), pass, verdict: "unmatched" });
  }

  noteStarted(hook: HookDescriptor): void {
    this.#record({ ...entryFor(hook), verdict: "started" });
  }

  /** Takes what a hook said. Returns a promise when a person or the host must be asked before the chain goes on. */
  accept(at: number, hook: HookDescriptor, pass: Pass, handed: Handed, facts: Facts): Promise<void> | undefined {
    let outcome: Outcome;
    let changes: readonly FieldChange[] = [];
    try {
      if ("thrown" in handed) throw handed.thrown;
      outcome = readAnswer(this.plan.event, hook.name, handed.answer);
      if (outcome.type === "proceed" && outcome.patch !== undefined) {
        changes = readPatch(this.plan.event, hook.name, this.payload as Record<string, unknown>, outcome.patch);
      }
    } catch (error) {
      this.fail(hook, pass, asFailure(error, hook), facts);
      return;
    }
    // The second judgement only judges: what it would have changed, skipped or recovered is not done.
    if (pass === "judging" && !isRefusal(outcome)) {
      this.#note(hook, pass, proceed(), facts);
      return;
    }
    if (outcome.type === "ask") return this.#ask(at, hook, pass, outcome.reason, facts);
    if (outcome.type !== "proceed") {
      this.#decide(decisionFor(this.plan.event, outcome, hook.name));
      this.#note(hook, pass, outcome, facts);
      return;
    }
    if (changes.length > 0) return this.#change(at, hook, pass, outcome, changes, facts);
    if (outcome.context !== undefined) this.added.push(outcome.context);
    this.#note(hook, pass, outcome, facts);
  }

  /** A hook threw, timed out or answered nonsense: its `onError` and the event's row say what that means. */
  fail(hook: HookDescriptor, pass: Pass, error: TenterhookError, facts: Facts): void {
    this.failures.push(error);
    const meaning = hook.onError === "continue" ? "go_on" : this.row.failure.action;
    if (meaning === "go_on" || meaning === "record") this.runtime.observers.report(error);
    else {
      const decision: Decision = {
        outcome: block(`${error.message} The hook says onError: block.`),
        action: meaning,
        hook: hook.name,
        error,
      };
      if (meaning === "release") {
        this.released ??= { ...decision, outcome: proceed() };
        this.runtime.observers.report(error);
      } else this.#decide(decision);
    }
    this.#noteFailure(hook, pass, meaning, error, facts);
  }

  /** A hook's time is up. Whoever still holds the old signal is told; the hooks to come get a new one. */
  expire(hook: HookDescriptor, pass: Pass, facts: Facts): void {
    const error = timedOut(hook);
    const late = this.#scope;
    this.#renew(late.fork());
    late.abort(error);
    this.runtime.observers.hookEvent("hook:timeout", hook, { error, ...duration(facts) });
    this.fail(hook, pass, error, facts);
  }

  /** The host cancelled: nothing else is asked, and the dispatch ends as `stop`. */
  cancel(reason: unknown): undefined {
    if (this.#closed) return;
    this.decision = {
      outcome: stop(`cancelled: ${messageOf(reason)}`),
      action: this.row.stop,
    };
  }

  /** Applies a change that a middleware hands to `next`; throws when the event does not allow it. */
  changeFor(at: number, hook: HookDescriptor, patch: object): Promise<void> | undefined {
    if (patch === this.context) return;
    const changes = readPatch(this.plan.event, hook.name, this.payload as Record<string, unknown>, patch);
    return changes.length === 0 ? undefined : this.#change(at, hook, "first", proceed(patch), changes, {});
  }

  #change(
    at: number,
    hook: HookDescriptor,
    pass: Pass,
    outcome: Outcome,
    changes: readonly FieldChange[],
    facts: Facts,
  ): Promise<void> | undefined {
    const changed = { ...this.payload, ...Object.fromEntries(changes.map(({ field, after }) => [field, after])) };
    const settle = (wrong: string | undefined) => {
      if (this.#closed) return;
      if (wrong !== undefined) {
        const error = new TenterhookError("bad_patch", `its change was refused: ${wrong}`, whose(hook));
        this.fail(hook, pass, error, facts);
        return;
      }
      this.#apply(at, changed as Immutable<Payload<E>>);
      if (outcome.type === "proceed" && outcome.context !== undefined) this.added.push(outcome.context);
      this.#note(hook, pass, outcome, { ...facts, changes });
    };
    return checked(() => this.options?.validate?.(changed as Payload<E>), settle);
  }

  async #askApprover(
    at: number,
    hook: HookDescriptor,
    pass: Pass,
    reason: string,
    facts: Facts,
  ): Promise<void> {
    const { approve } = this.options ?? {};
    if (approve === undefined) return;
    const { edits } = this.row;
    const decided = await requestApproval(approve, {
      event: this.plan.event,
      hook: hook.name,
      reason,
      payload: this.payload as Immutable<Payload<EventName>>,
      ...(pass === "first" && edits !== undefined && { edits }),
      signal: this.#scope.signal,
    });
    if (this.#closed || this.decision !== undefined) return;
    const asked = { type: "ask", reason } as const;
    if (decided.type === "reject") {
      if (decided.error !== undefined) this.failures.push(decided.error);
      const refusal = block(decided.reason ?? `${reason} (rejected)`);
      this.#decide({ ...decisionFor(this.plan.event, refusal, hook.name), ...(decided.error && { error: decided.error }) });
      this.#note(hook, pass, asked, { ...facts, approval: "reject", reason: refusal.reason });
      return;
    }
    if (decided.type === "approve" || edits === undefined) {
      this.#note(hook, pass, asked, { ...facts, approval: "approve" });
      return;
    }
    const change = { field: edits, before: (this.payload as Record<string, unknown>)[edits], after: decided.value };
    const edited = { ...this.payload, [edits]: decided.value } as Immutable<Payload<E>>;
    await checked(
      () => this.options?.validate?.(edited as Payload<E>),
      (wrong) => {
        if (this.#closed) return;
        if (wrong !== undefined) {
          this.#decide(decisionFor(this.plan.event, block(`The edited value was refused: ${wrong}`), hook.name));
        } else this.#apply(at, edited);
        this.#note(hook, pass, asked, { ...facts, approval: "edit", ...(wrong === undefined && { changes: [change] }) });
      },
    );
  }

  #ask(at: number, hook: HookDescriptor, pass: Pass, reason: string, facts: Facts): Promise<void> | undefined {
    if (this.options?.approve !== undefined) return this.#askApprover(at, hook, pass, reason, facts);
    const refusal = block(`${reason} (this needs a person's approval, and no approver is connected)`);
    this.#decide(decisionFor(this.plan.event, refusal, hook.name));
    this.#note(hook, pass, { type: "ask", reason }, { ...facts, reason: refusal.reason });
  }

  /** Whoever comes before this hook has judged another value; the hook itself has not, nor has anyone behind it. */
  #apply(at: number, payload: Immutable<Payload<E>>): void {
    this.payload = payload;
    this.#changedBefore = Math.max(this.#changedBefore, at);
    this.#renew(this.#scope);
  }

  #renew(scope: Scope): void {
    this.#scope = scope;
    this.#subject = undefined;
    this.context = newContext(this.plan.event as E, this.payload, scope);
  }

  #decide(decision: Decision): void {
    if (this.decision === undefined || mayReplace(this.decision.outcome, decision.outcome)) this.decision = decision;
  }

  #note(
    hook: HookDescriptor,
    pass: Pass,
    outcome: Outcome,
    more: Facts & Pick<TraceEntry, "changes" | "approval" | "reason">,
  ): void {
    const refused = this.decision?.hook === hook.name && outcome.type !== "proceed";
    const action = refused && this.decision !== undefined ? this.decision.action : "go_on";
    const reason = more.reason ?? reasonOf(outcome);
    const { observers, tracing } = this.runtime;
    if (!tracing && !observers.watching) return;
    this.#record({
      ...entryFor(hook),
      pass,
      verdict: outcome.type,
      action,
      ...(outcome.type === "proceed" && outcome.context !== undefined && { context: outcome.context }),
      ...more,
      ...(reason !== undefined && { reason }),
    });
    if (!observers.watching) return;
    const details = { ...duration(more), ...(reason !== undefined && { reason }) };
    observers.hookEvent("hook:completed", hook, details);
    if (refused && this.decision !== undefined && isRefusal(this.decision.outcome)) {
      observers.hookEvent("hook:blocked", hook, details);
    }
  }

  #record(entry: TraceEntry): void {
    this.lastEntry = entry;
    if (this.runtime.tracing) this.entries.push(entry);
  }

  #noteFailure(hook: HookDescriptor, pass: Pass, action: TraceEntry["action"], error: TenterhookError, facts: Facts): void {
    const { observers } = this.runtime;
    this.#record({ ...entryFor(hook), pass, verdict: "failed", action, reason: error.message, error, ...facts });
    if (!observers.watching) return;
    observers.hookEvent("hook:error", hook, { error, ...duration(facts) });
    if (this.decision?.error === error) observers.hookEvent("hook:blocked", hook, { reason: error.message, error });
  }
}

function isRefusal(outcome: Outcome): outcome is Block {
  return outcome.type === "block" || outcome.type === "stop" || outcome.type === "ask";
}

function duration({ durationMs }: Facts): { durationMs?: number } {
  return durationMs === undefined ? {} : { durationMs };
}

/** Runs a host's check, which may be sync or async and may throw; what it throws is what is wrong. */
function checked(
  check: () => string | undefined | Promise<string | undefined>,
  settle: (wrong: string | undefined) => void,
): Promise<void> | undefined {
  try {
    const answer = check();
    if (answer instanceof Promise) return answer.then(settle, (error: unknown) => settle(messageOf(error)));
    settle(answer);
  } catch (error) {
    settle(messageOf(error));
  }
}
