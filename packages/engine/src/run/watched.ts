import { type EventName, type Payload, proceed } from "@tenterhook/protocol";
import { preciseNow } from "../clock/clock.ts";
import type { DispatchOptions } from "../context/dispatch-options.ts";
import { type Context, HookContext } from "../context/hook-context.ts";
import type { Plan } from "../plan/plan.ts";
import { timedStop } from "../plan/timed.ts";
import { quietStop } from "../plan/unrolled.ts";
import type { Hook } from "../register/hook.ts";
import type { HookSpan } from "../trace/observers.ts";
import { QuietRecord } from "../trace/quiet-record.ts";
import { Times } from "../trace/times.ts";
import { TraceEntry } from "../trace/trace.ts";
import { Dispatch } from "./dispatch.ts";
import { Dispatcher } from "./dispatcher.ts";
import { type RawResult, Rejection, type WatchedStop } from "./hook-call.ts";
import type { Runtime } from "./runtime.ts";

/**
 * Runs a quiet plan that has listeners. Every hook is timed; apart from that there is no bookkeeping until a hook
 * answers, and then a dispatcher continues from there.
 */
export function runWatched<E extends EventName>(
  runtime: Runtime,
  plan: Plan,
  context: Context<E>,
  options: DispatchOptions<E> | undefined,
): Dispatch<E> | Promise<Dispatch<E>> {
  const { observers } = runtime;
  const ended = observers.followsHooks ? follow(runtime, plan, context) : time(plan, context);
  if (!(ended instanceof Times)) {
    const { index, call, times } = ended;
    return new Dispatcher(runtime, plan, context, options).resume(index, call, times);
  }
  if (options?.signal !== undefined) HookContext.release(context);
  const record = new QuietRecord(runtime.tracing ? plan.descriptors : [], ended);
  const payload = context.payload as Payload<E>;
  const dispatch = new Dispatch<E>(plan.event as E, payload, proceed(), record);
  observers.trace(dispatch);
  return dispatch;
}

/** Listeners are called after the dispatch: hooks follow each other at once. */
function time(plan: Plan, context: unknown): Times | WatchedStop {
  let result: RawResult;
  try {
    result = plan.runTimed(context as never);
  } catch (error) {
    result = new Rejection(error);
  }
  const times = new Times(timedStop.moments, 1);
  if (result === undefined) return times;
  const { index } = quietStop;
  const started = { startedAt: times.startOf(index), span: undefined };
  return { index, times, call: { type: "observed", started, result } };
}

/** Listeners are called as each hook starts and ends; their time is not the hook's. */
function follow({ observers }: Runtime, plan: Plan, context: unknown): Times | WatchedStop {
  const moments: number[] = [];
  for (let index = 0; index < plan.sync.length; index++) {
    const { hook } = plan.sync[index] as { readonly hook: Hook };
    const { descriptor } = hook;
    observers.hookEvent("hook:started", descriptor);
    const span = observers.span(descriptor);
    const startedAt = preciseNow();
    const result = span === undefined ? call(hook, context) : callInside(span, hook, context);
    if (result !== undefined)
      return {
        index,
        times: new Times(moments, 2),
        call: { type: "observed", started: { startedAt, span }, result },
      };
    const endedAt = preciseNow();
    moments.push(startedAt, endedAt);
    observers.hookEvent("hook:completed", descriptor, endedAt - startedAt);
    if (span !== undefined) endSpan(span, hook, startedAt, endedAt);
  }
  return new Times(moments, 2);
}

function call(hook: Hook, context: unknown): RawResult {
  try {
    return hook.handle(context as never);
  } catch (error) {
    return new Rejection(error);
  }
}

/** Not written where it is called: the closure would cost every hook, also those without a span. */
function callInside(span: HookSpan, hook: Hook, context: unknown): RawResult {
  return span.run(() => call(hook, context));
}

function endSpan(span: HookSpan, hook: Hook, startedAt: number, endedAt: number): void {
  const entry = new TraceEntry(hook.descriptor);
  entry.startedAt = startedAt;
  entry.durationMs = endedAt - startedAt;
  span.end(entry);
}
