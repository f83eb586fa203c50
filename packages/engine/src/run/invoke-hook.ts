import type { Hook } from "../register/hook.ts";
import type { HookSpan } from "../trace/observers.ts";
import { type RawResult, Rejection } from "./hook-call.ts";

/** Calls a hook. It does not throw: what the hook throws is a `Rejection`. `next` is given to a middleware. */
export function invoke(hook: Hook, context: unknown, next?: unknown): RawResult {
  try {
    return next === undefined ? hook.handle(context as never) : hook.handle(context as never, next as never);
  } catch (error) {
    return new Rejection(error);
  }
}

/** Not written where it is called: the closure would cost every hook, also those without a span. */
export function invokeInSpan(span: HookSpan, hook: Hook, context: unknown, next: unknown): RawResult {
  return span.run(() => invoke(hook, context, next));
}
