import { type EventName, type Payload, proceed } from "@tenterhook/protocol";
import type { Plan } from "../plan/plan.ts";
import { timedStop } from "../plan/timed.ts";
import { Times } from "../plan/times.ts";
import { quietStop } from "../plan/unrolled.ts";
import type { Hook } from "../register/hook.ts";
import type { HookSpan } from "../trace/observers.ts";
import { TraceEntry } from "../trace/trace.ts";
import { type Begun, type Handed, Thrown } from "./asking.ts";
import { Chain } from "./chain.ts";
import { preciseNow } from "./clock.ts";
import { Dispatch } from "./dispatch.ts";
import type { Context } from "./hook-context.ts";
import type { Runtime } from "./runtime.ts";
import type { DispatchOptions } from "./scope.ts";

/** Where a watched run was when a hook said something. */
export interface WatchedStop {
  readonly index: number;
  /** When the hooks before it started and ended. */
  readonly times: Times;
  readonly begun: Begun;
  readonly said: Handed;
}

/**
 * Runs a quiet plan that has listeners. Every hook is timed; apart from that there are no books to keep until a hook
 * says something, and then a chain goes on from there.
 */
export function runWatched<E extends EventName>(
  runtime: Runtime,
  plan: Plan,
  context: Context<E>,
  options: DispatchOptions<E> | undefined,
): Dispatch<E> | Promise<Dispatch<E>> {
  const { observers } = runtime;
  const ended = observers.followsHooks ? follow(runtime, plan, context) : time(plan, context);
  if (!(ended instanceof Times)) return new Chain(runtime, plan, context, options).resumeWatched(ended);
  const told = runtime.tracing ? plan : undefined;
  const payload = context.payload as Payload<E>;
  const dispatch = new Dispatch<E>(plan.event as E, payload, proceed(), told, undefined, ended);
  observers.trace(dispatch);
  return dispatch;
}

/** Listeners are called after the dispatch: hooks follow each other at once. */
function time(plan: Plan, context: unknown): Times | WatchedStop {
  let said: Handed;
  try {
    said = plan.runTimed(context as never);
  } catch (error) {
    said = new Thrown(error);
  }
  const times = new Times(timedStop.moments, 1);
  if (said === undefined) return times;
  const { index } = quietStop;
  return { index, times, begun: { startedAt: times.startOf(index), span: undefined }, said };
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
    const said = span === undefined ? call(hook, context) : callInside(span, hook, context);
    if (said !== undefined) return { index, times: new Times(moments, 2), begun: { startedAt, span }, said };
    const endedAt = preciseNow();
    moments.push(startedAt, endedAt);
    observers.hookEvent("hook:completed", descriptor, endedAt - startedAt);
    if (span !== undefined) endSpan(span, hook, startedAt, endedAt);
  }
  return new Times(moments, 2);
}

function call(hook: Hook, context: unknown): Handed {
  try {
    return hook.handle(context as never);
  } catch (error) {
    return new Thrown(error);
  }
}

/** Not written where it is called: the closure would cost every hook, also those without a span. */
function callInside(span: HookSpan, hook: Hook, context: unknown): Handed {
  return span.run(() => call(hook, context));
}

function endSpan(span: HookSpan, hook: Hook, startedAt: number, endedAt: number): void {
  const entry = new TraceEntry(hook.descriptor);
  entry.startedAt = startedAt;
  entry.durationMs = endedAt - startedAt;
  span.end(entry);
}
