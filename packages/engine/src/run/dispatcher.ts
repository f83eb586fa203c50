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
  stop,
  TenterhookError,
} from "@tenterhook/protocol";
import { checkObserver, type FieldChange, readAnswer, readPatch } from "../answer/answer.ts";
import { requestApproval } from "../answer/approval.ts";
import { asFailure, cancelled, textOf, timedOut, whose } from "../answer/failure.ts";
import { runCheck } from "../answer/run-check.ts";
import { isRefusal, mayReplace, type Verdict, verdictFor } from "../answer/verdict.ts";
import type { DispatchOptions } from "../context/dispatch-options.ts";
import type { Context } from "../context/hook-context.ts";
import type { Plan } from "../plan/plan.ts";
import type { Observers } from "../trace/observers.ts";
import type { Times } from "../trace/times.ts";
import type { Background } from "./background.ts";
import { Dispatch } from "./dispatch.ts";
import type { DispatchState } from "./dispatch-state.ts";
import { DispatchValue } from "./dispatch-value.ts";
import { type EarlierCall, type HookCall, type RawResult, Rejection } from "./hook-call.ts";
import { HookSequence } from "./hook-sequence.ts";
import type { Runtime } from "./runtime.ts";
import { TraceRecorder } from "./trace-recorder.ts";

/**
 * Runs one dispatch with bookkeeping: calls the sync hooks in order, applies their changes, calls earlier guards again about
 * the final value, and ends in one verdict. It is synchronous for as long as the hooks are.
 */
export class Dispatcher<E extends EventName> implements DispatchState<E> {
  readonly plan: Plan;
  readonly observers: Observers;
  readonly options: DispatchOptions<E> | undefined;
  readonly recorder: TraceRecorder;
  readonly value: DispatchValue<E>;
  verdict: Verdict | undefined;
  readonly #row: EventRow;
  readonly #background: Background;
  /** A stop gate that could not judge: the agent stops, marked, unless another gate holds it. */
  #releaseVerdict: Verdict | undefined;
  #isClosed = false;

  constructor(runtime: Runtime, plan: Plan, context: Context<E>, options: DispatchOptions<E> | undefined) {
    this.observers = runtime.observers;
    this.#background = runtime.background;
    this.plan = plan;
    this.options = options;
    this.recorder = new TraceRecorder(plan, runtime.observers, runtime.tracing);
    this.value = new DispatchValue(plan.event as E, context);
    this.#row = eventRow(plan.event);
  }

  run(): Dispatch<E> | Promise<Dispatch<E>> {
    const signal = this.options?.signal;
    if (signal?.aborted) {
      this.cancel(signal.reason);
      return this.#close();
    }
    return this.resume(0);
  }

  /**
   * Continues a quiet run at the hook at this index, whose progress `call` holds; the hooks before it did not answer.
   * `times` are theirs, where there are listeners.
   */
  resume(from: number, call?: EarlierCall, times?: Times): Dispatch<E> | Promise<Dispatch<E>> {
    for (let index = 0; index < from; index++) {
      const quiet = this.plan.descriptors[index] as HookDescriptor;
      if (times === undefined) this.recorder.quiet(quiet);
      else this.recorder.quietTimed(quiet, times.startOf(index), times.durationOf(index));
    }
    const sequence = new HookSequence(this, "first", from, this.plan.sync.length);
    return sequence.start(() => this.#judgeAgain(), call);
  }

  /** A guard that passed before a later change is called once more, about the value that will really be used. */
  #judgeAgain(): Dispatch<E> | Promise<Dispatch<E>> {
    const { value } = this;
    if (!value.isChanged || this.verdict !== undefined) return this.#close();
    if (value.judgeAgainBefore === 0 || this.#row.block.action === "record") return this.#permit();
    const { runContext } = value;
    value.renewContext(runContext.fork(true));
    runContext.release();
    return new HookSequence(this, "judging", 0, value.judgeAgainBefore).start(() => this.#permit());
  }

  /** The host's own permission check, on a value that it has not seen. */
  #permit(): Dispatch<E> | Promise<Dispatch<E>> {
    if (this.verdict !== undefined || this.options?.permit === undefined) return this.#close();
    const waiting = runCheck(
      () => this.options?.permit?.(this.value.payload as Payload<E>),
      (refusal) => {
        if (refusal !== undefined) this.verdict ??= verdictFor(this.plan.event, block(refusal));
      },
    );
    return waiting === undefined ? this.#close() : waiting.then(() => this.#close());
  }

  #close(): Dispatch<E> {
    this.#isClosed = true;
    if (this.options?.signal !== undefined) this.value.runContext.release();
    this.verdict ??= this.#releaseVerdict;
    this.recorder.close(this.verdict, this.value.original);
    const dispatch = new Dispatch<E>(
      this.plan.event as E,
      this.value.payload as Payload<E>,
      this.verdict?.outcome ?? proceed(),
      this.recorder,
    );
    if (this.plan.background.length > 0) this.#background.start(this);
    this.observers.trace(dispatch);
    return dispatch;
  }

  /** Reads what a hook returned. Returns a promise when an approver or the host must be asked before the next hook. */
  accept(at: number, call: HookCall, result: RawResult): Promise<void> | undefined {
    const { name, observes } = call.hook.descriptor;
    const { event } = this.plan;
    let outcome: Outcome;
    let changes: readonly FieldChange[] | undefined;
    try {
      if (result instanceof Rejection) throw result.error;
      // A middleware that returns the outcome of the hooks behind it has decided nothing itself.
      outcome = result === this.verdict?.outcome ? proceed() : readAnswer(event, name, result);
      if (observes) checkObserver(event, name, outcome);
      if (outcome.type === "proceed" && outcome.patch !== undefined) {
        changes = readPatch(event, name, this.value.fields, outcome.patch);
      }
    } catch (error) {
      this.#fail(call, asFailure(error, call.hook.descriptor));
      return;
    }
    // The second judgement only judges: what it would have changed, skipped or recovered is not done.
    if (call.pass === "judging" && !isRefusal(outcome)) outcome = proceed();
    else if (outcome.type === "ask") return this.#ask(at, call, outcome);
    else if (outcome.type === "proceed" && changes !== undefined && changes.length > 0) {
      return this.#change(at, call, outcome, changes);
    }
    const verdict = outcome.type === "proceed" ? undefined : verdictFor(event, outcome, name);
    if (verdict !== undefined) this.#decide(verdict);
    this.recorder.answered(call, outcome, verdict);
    return;
  }

  /** A hook threw, timed out or returned no outcome of its event: its `onError` and the event's row give that a meaning. */
  #fail(call: HookCall, error: TenterhookError): void {
    const { onError, name } = call.hook.descriptor;
    const action = onError === "continue" ? "go_on" : this.#row.failure.action;
    const decides = action === "refuse" || action === "fail" || action === "raise";
    if (decides)
      this.#decide({ outcome: block(`${error.message} Its onError is block.`), action, hook: name, error });
    else if (action === "release") this.#releaseVerdict ??= { outcome: proceed(), action, hook: name, error };
    this.recorder.failed(call, action, error, decides);
  }

  /** A hook's time is up. The signal that it holds fires; the hooks to come get a new one. */
  expire(call: HookCall): void {
    const error = timedOut(call.hook.descriptor);
    const late = this.value.runContext;
    this.value.renewContext(late.fork());
    late.abort(error);
    this.#fail(call, error);
  }

  /** The host cancelled: no other hook is called, and the dispatch ends as `stop`. A hook that was running is recorded. */
  cancel(reason: unknown, call?: HookCall): void {
    if (this.#isClosed) return;
    const action = this.#row.stop;
    if (call !== undefined) this.recorder.failed(call, action, cancelled(call.hook.descriptor, reason), true);
    this.verdict = { outcome: stop(`cancelled: ${textOf(reason)}`), action };
  }

  /** Applies a change that a middleware gives to `next`; throws when the event, or the host, does not allow it. */
  changeFor(at: number, call: HookCall, patch: object): Promise<void> | undefined {
    if (patch === this.value.context) return;
    const { descriptor } = call.hook;
    if (descriptor.observes) checkObserver(this.plan.event, descriptor.name, proceed(patch));
    const changes = readPatch(this.plan.event, descriptor.name, this.value.fields, patch);
    if (changes.length === 0) return;
    return this.#applyChanges(
      at,
      changes,
      (problem) => {
        throw badChange(call, problem);
      },
      () => this.recorder.changed(descriptor, call.pass, changes),
    );
  }

  /** Applies the changes of a hook's answer; `refused` takes the problem that the host finds with them. */
  #change(
    at: number,
    call: HookCall,
    outcome: Outcome,
    changes: readonly FieldChange[],
    refused = (problem: string) => this.#fail(call, badChange(call, problem)),
  ): Promise<void> | undefined {
    return this.#applyChanges(at, changes, refused, () => {
      call.entry.changes = changes;
      this.recorder.answered(call, outcome);
    });
  }

  /** Lets the host check changes, then applies them. */
  #applyChanges(
    at: number,
    changes: readonly FieldChange[],
    refused: (problem: string) => void,
    applied: () => void,
  ): Promise<void> | undefined {
    const changed = this.value.with(changes);
    return runCheck(
      () => this.options?.validate?.(changed as Payload<E>),
      (problem) => {
        if (this.#isClosed) return;
        if (problem !== undefined) {
          refused(problem);
          return;
        }
        this.value.replace(changed, at);
        applied();
      },
    );
  }

  async #requestApproval(at: number, call: HookCall, asked: Outcome & { type: "ask" }): Promise<void> {
    const { approve } = this.options ?? {};
    if (approve === undefined) return;
    const { edits } = this.#row;
    const decision = await requestApproval(approve, {
      event: this.plan.event,
      hook: call.hook.descriptor.name,
      reason: asked.reason,
      ...(asked.notBy !== undefined && { notBy: asked.notBy }),
      payload: this.value.payload as Immutable<Payload<EventName>>,
      ...(call.pass === "first" && edits !== undefined && { edits }),
      signal: this.value.runContext.signal,
    });
    // Cancelled before the person decided.
    if (this.#isClosed || this.verdict !== undefined) return;
    call.entry.approval = decision.type;
    switch (decision.type) {
      case "reject":
        if (decision.error !== undefined) this.recorder.failure(decision.error);
        this.#refuse(call, asked, decision.reason ?? `${asked.reason} (rejected)`, decision.error);
        return;
      case "approve":
        this.recorder.answered(call, asked);
        return;
      case "edit": {
        // requestApproval lets an edit through only where the row has a field to edit.
        const field = edits ?? "";
        const change = { field, before: this.value.fields[field], after: decision.value };
        const refused = (problem: string) =>
          this.#refuse(call, asked, `The edited value was refused: ${problem}`);
        await this.#change(at, call, asked, [change], refused);
      }
    }
  }

  #ask(at: number, call: HookCall, asked: Outcome & { type: "ask" }): Promise<void> | undefined {
    if (this.options?.approve !== undefined) return this.#requestApproval(at, call, asked);
    const reason = `${asked.reason} (this needs a person's approval, and no approver is connected)`;
    this.#refuse(call, asked, reason);
    return;
  }

  #refuse(call: HookCall, asked: Outcome, reason: string, error?: TenterhookError): void {
    const refusal = verdictFor(this.plan.event, block(reason), call.hook.descriptor.name);
    const verdict = error === undefined ? refusal : { ...refusal, error };
    this.#decide(verdict);
    this.recorder.answered(call, asked, verdict);
  }

  #decide(verdict: Verdict): void {
    if (this.verdict === undefined || mayReplace(this.verdict.outcome, verdict.outcome))
      this.verdict = verdict;
  }
}

function badChange({ hook }: HookCall, problem: string): TenterhookError {
  return new TenterhookError("bad_patch", `its change was refused: ${problem}`, whose(hook.descriptor));
}
