import { type HookCall, type RawResult, Rejection } from "./hook-call.ts";

/** Calls a hook, inside its span if it has one. It does not throw: what the hook throws is a `Rejection`. */
export function invokeHook(call: HookCall, context: unknown, next: unknown): RawResult {
  return call.span === undefined ? invoke(call, context, next) : invokeInSpan(call, context, next);
}

/** Not written where it is called: the closure would cost every hook, also those without a span. */
function invokeInSpan(call: HookCall, context: unknown, next: unknown): RawResult {
  return call.span?.run(() => invoke(call, context, next));
}

function invoke({ hook }: HookCall, context: unknown, next: unknown): RawResult {
  try {
    // A hook that wraps nothing is not given a second argument.
    return next === undefined ? hook.handle(context as never) : hook.handle(context as never, next as never);
  } catch (error) {
    return new Rejection(error);
  }
}
