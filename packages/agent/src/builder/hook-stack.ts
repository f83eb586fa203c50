import type { MaybePromise } from "@tenterhook/engine/internal";
import { HookStack as EngineStack, type StackCall } from "@tenterhook/engine/stack";
import { whenReady } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { HookContext } from "./contexts.ts";
import type { HookOutcome } from "./hook-outcome.ts";
import { readReturned } from "./returned-value.ts";

/** Hooks around a terminal function, without an agent. A value: `with` returns a new stack. */
export class HookStack extends EngineStack<HookContext, HookOutcome> {
  constructor() {
    super([], callHook);
  }
}

/** Calls a hook and reads what it returns: what a hook may return in an agent, it may return here. */
const callHook: StackCall<HookContext, HookOutcome> = (hook, context, next, id) => {
  let inner: MaybePromise<HookOutcome> | undefined;
  const tracked = (changed: HookContext) => {
    inner = next(changed);
    return inner;
  };
  // At run time a hook may return anything.
  return whenReady<unknown, HookOutcome>(hook.handle(context, tracked), (returned) => {
    if (returned !== undefined) return readReturned(returned, { context, next, inner });
    const hint = "Return next(context), or a HookOutcome.";
    throw new TenterhookError("bad_outcome", "it returned nothing.", { hook: id, hint });
  });
};
