import type { EventName } from "@tenterhook/protocol";
import { preciseNow } from "../clock/clock.ts";
import type { Hook } from "../register/hook.ts";
import type { DispatchState } from "./dispatch-state.ts";
import { type EarlierCall, type HookCall, type RawResult, Rejection } from "./hook-call.ts";

/** Calls a hook, inside its span if it has one. It does not throw: what the hook throws is a `Rejection`. */
export function invokeHook(call: HookCall, context: unknown, next: unknown): RawResult {
  return call.span === undefined ? invoke(call.hook, context, next) : invokeInSpan(call, context, next);
}

/** Calls a hook for which there is no `HookCall`. Returns `undefined` when it did not answer, which is recorded. */
export function invokePlain<E extends EventName>(
  { observers, recorder, value }: DispatchState<E>,
  hook: Hook,
): EarlierCall | undefined {
  const { descriptor } = hook;
  const isObserved = observers.watching;
  if (isObserved) observers.hookEvent("hook:started", descriptor);
  const startedAt = isObserved ? preciseNow() : undefined;
  const result = invoke(hook, value.context, undefined);
  if (result !== undefined) return { type: "returned", result, startedAt };
  const durationMs = startedAt === undefined ? undefined : preciseNow() - startedAt;
  recorder.quiet(descriptor, isObserved, startedAt, durationMs);
  return;
}

function invoke(hook: Hook, context: unknown, next: unknown): RawResult {
  try {
    // A hook that wraps nothing is not given a second argument.
    return next === undefined ? hook.handle(context as never) : hook.handle(context as never, next as never);
  } catch (error) {
    return new Rejection(error);
  }
}

/** Not written where it is called: the closure would cost every hook, also those without a span. */
function invokeInSpan({ hook, span }: HookCall, context: unknown, next: unknown): RawResult {
  return span?.run(() => invoke(hook, context, next));
}
