import type { Outcome } from "@tenterhook/engine";
import type { MaybePromise } from "@tenterhook/engine/internal";
import { HookStack as EngineStack, type StackCall } from "@tenterhook/engine/stack";
import { messageOf, whenReady } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { ContextByEvent, HookContext } from "./contexts.ts";
import type { HookEvent } from "./hook-event.ts";
import { HookOutcome } from "./hook-outcome.ts";
import { type HookReturn, readReturned } from "./hook-return.ts";
import { type HookMatcher, hookMatcher } from "./matchers.ts";

/** Runs the hooks further in, at most once, with this context or a changed copy of it. */
export type HookNext = (context: HookContext) => MaybePromise<HookOutcome>;

/**
 * A hook that wraps the ones behind it, for logic that is used in several places. It may throw: in an agent that is a failure
 * of the hook, handled by `onError`; a bare `HookStack` lets the error through.
 */
export interface Hook<C extends HookContext = HookContext> {
  handle(context: C, next: HookNext): MaybePromise<HookOutcome>;
  /** The events that it is for. Registering it only on others is an error. Default: any. */
  readonly events?: readonly HookEvent[] | undefined;
}

/** The function of a `CallableHook`. It may return what hooks on its event may return: an outcome, a value, or nothing, which proceeds. */
export type HookCallback<C extends HookContext, E extends HookEvent = HookEvent> = (
  context: C,
  next: HookNext,
) => MaybePromise<HookReturn<E>>;

/** A function as a hook. Calling `next` is optional: the hooks behind it run unless it blocks or stops. */
export class CallableHook<C extends HookContext = HookContext, E extends HookEvent = HookEvent>
  implements Hook<C>
{
  readonly callback: HookCallback<C, E>;
  readonly matcher: HookMatcher | undefined;
  readonly events?: readonly HookEvent[] | undefined;

  constructor(callback: HookCallback<C, E>, matcher?: Parameters<typeof hookMatcher>[0] | null) {
    if (typeof callback !== "function") {
      throw new TenterhookError("bad_hook", `a callable hook takes a function, not ${messageOf(callback)}.`);
    }
    this.callback = callback;
    this.matcher = matcher == null ? undefined : hookMatcher(matcher);
  }

  /** For a `HookStack`; in an agent the engine evaluates the matcher and traces hooks that did not match. */
  handle(context: C, next: HookNext): MaybePromise<HookOutcome> {
    const isForEvent = this.events?.includes(context.eventType()) ?? true;
    if (!isForEvent || this.matcher?.matches(context) === false) return next(context);
    return callInStack((tracked) => this.callback(context, tracked), context, next, { goesOn: true });
  }
}

/** A callable hook for one event. Registering it on another one is an error, and in a stack it ignores other contexts. */
function callableHookFor<H extends HookEvent>(event: H) {
  return class extends CallableHook<ContextByEvent[H], H> {
    override readonly events: readonly HookEvent[] = [event];
  };
}

/** A hook before a tool runs. */
export class BeforeToolHook extends callableHookFor("PreToolUse") {}
/** A hook after a tool has run. */
export class AfterToolHook extends callableHookFor("PostToolUse") {}
/** A hook before a step. */
export class BeforeStepHook extends callableHookFor("BeforeStep") {}
/** A hook after a step. */
export class AfterStepHook extends callableHookFor("AfterStep") {}
/** A hook at the start of an execution. */
export class ExecutionStartHook extends callableHookFor("ExecutionStart") {}
/** A hook at the end of an execution. */
export class ExecutionEndHook extends callableHookFor("ExecutionEnd") {}
/** A hook that may keep the agent running when it is about to stop. */
export class StopHook extends callableHookFor("Stop") {}
/** The same for a subagent. */
export class SubagentStopHook extends callableHookFor("SubagentStop") {}
/** A hook that is given an error which ends the execution. */
export class AgentFailedHook extends callableHookFor("AgentFailed") {}

/** Hooks around a terminal function, without an agent. A value: `with` returns a new stack. */
export class HookStack extends EngineStack<HookContext, HookOutcome> {
  constructor() {
    super([], callHook);
  }
}

const callHook: StackCall<HookContext, HookOutcome> = (hook, context, next, id) => {
  const call = (tracked: HookNext) =>
    whenReady<unknown, unknown>(hook.handle(context, tracked), (returned) => {
      if (returned !== undefined) return returned;
      const hint = "Return next(context), or a HookOutcome.";
      throw new TenterhookError("bad_outcome", "it returned nothing.", { hook: id, hint });
    });
  return callInStack(call, context, next, { goesOn: false });
};

/**
 * Calls a hook without an engine and reads what it returns: what a hook may return in an agent, it may return here. A returned value goes
 * to the hooks behind it; after `next` it is the outcome, and what was refused further in stays refused. With `goesOn`, nothing and an
 * outcome that proceeds go on to the hooks behind it too.
 */
function callInStack(
  call: (next: HookNext) => unknown,
  context: HookContext,
  next: HookNext,
  { goesOn }: { readonly goesOn: boolean },
): MaybePromise<HookOutcome> {
  let inner: MaybePromise<HookOutcome> | undefined;
  const tracked: HookNext = (changed) => {
    inner = next(changed);
    return inner;
  };
  return whenReady(call(tracked), (returned) => {
    if (returned === undefined) return inner ?? next(context);
    const read = readReturned(returned, context);
    const isValue = read !== undefined && read !== returned;
    const outcome = read ?? HookOutcome.of(returned as Outcome);
    if (!outcome.isProceed()) return outcome;
    if (inner === undefined) return goesOn || isValue ? next(outcome.context() ?? context) : outcome;
    if (!isValue) return outcome;
    return whenReady(inner, (innerOutcome) => (innerOutcome.isProceed() ? outcome : innerOutcome));
  });
}
