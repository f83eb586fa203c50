import { readable } from "@tenterhook/internal";
import {
  block,
  type EventName,
  type EventRow,
  eventRow,
  type Payload,
  proceed,
  stop,
  type TenterhookError,
} from "@tenterhook/protocol";
import { cancelled, textOf, timedOut } from "../answer/failure.ts";
import { type DispatchVerdict, mayReplace } from "../answer/verdict.ts";
import type { DispatchOptions } from "../context/dispatch-options.ts";
import type { Context } from "../context/hook-context.ts";
import type { Plan } from "../plan/plan.ts";
import type { Hook } from "../register/hook.ts";
import type { Observers } from "../trace/observers.ts";
import { Dispatch } from "./dispatch.ts";
import { DispatchValue } from "./dispatch-value.ts";
import type { HookCall } from "./hook-call.ts";
import { TraceRecorder } from "./trace-recorder.ts";

/** One dispatch while its hooks run: the value, the trace, and how it ends. */
export class DispatchState<E extends EventName> {
  readonly plan: Plan;
  readonly row: EventRow;
  readonly observers: Observers;
  readonly options: DispatchOptions<E> | undefined;
  readonly recorder: TraceRecorder;
  readonly value: DispatchValue<E>;
  /** Present when it is decided how the dispatch ends. */
  verdict: DispatchVerdict | undefined = undefined;
  isClosed = false;
  /** The hooks that are not enforced and have objected: an enforced one would not be called again. */
  objected: Set<Hook> | undefined = undefined;
  /** A stop gate that failed: the agent stops, marked, unless another gate keeps it running. */
  #releaseVerdict: DispatchVerdict | undefined;

  constructor(
    plan: Plan,
    context: Context<E>,
    options: DispatchOptions<E> | undefined,
    { observers, tracing }: { readonly observers: Observers; readonly tracing: boolean },
  ) {
    this.plan = plan;
    this.row = eventRow(plan.event);
    this.observers = observers;
    this.options = options;
    this.recorder = new TraceRecorder(plan, observers, tracing);
    this.value = new DispatchValue(plan.event as E, context);
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

  /** A hook's time is up. The signal that it holds fires; the hooks to come get a new one. */
  expire(call: HookCall): void {
    const error = timedOut(call.hook.descriptor);
    const late = this.value.runContext;
    this.value.renewContext(late.fork());
    late.abort(error);
    this.fail(call, error);
  }

  /** Cancels a dispatch whose signal has fired; a hook that was called synchronously may have aborted it. */
  cancelIfAborted(): void {
    const signal = this.options?.signal;
    if (signal?.aborted) this.cancel(signal.reason);
  }

  /** The host cancelled: no other hook is called, and the dispatch ends as `stop`. A hook that was running is recorded. */
  cancel(reason: unknown, call?: HookCall): void {
    if (this.isClosed) return;
    const action = this.row.stop;
    if (call !== undefined) this.recorder.failed(call, action, cancelled(call.hook.descriptor, reason), true);
    this.verdict = { outcome: stop(`cancelled: ${textOf(reason)}`), action };
  }

  close(): Dispatch<E> {
    this.isClosed = true;
    if (this.options?.signal !== undefined) this.value.runContext.release();
    this.verdict ??= this.#releaseVerdict;
    this.recorder.close(this.verdict, this.value.original);
    const payload = this.value.payload as Payload<E>;
    const outcome = this.verdict?.outcome ?? proceed();
    return new Dispatch<E>(this.plan.event as E, payload, outcome, this.recorder);
  }
}
