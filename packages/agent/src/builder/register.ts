import { allOf, type Context, type HookOptions, type Hooks, type Outcome } from "@tenterhook/engine";
import { messageOf } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { type BuilderHookOptions, readCallback, readHookArguments } from "./arguments.ts";
import { contextFor } from "./contexts.ts";
import { CallableHook, type Hook, type HookNext } from "./hook.ts";
import { type EngineEvent, engineEvents, HookEvent } from "./hook-event.ts";
import { HookOutcome } from "./hook-outcome.ts";
import { outcomeFor, readOutcome } from "./hook-return.ts";
import { engineMatcher } from "./matchers.ts";

/** Registers a hook that has been read, in any set. */
export type Registration = (hooks: Hooks) => void;

/** A callback as a hook of the engine. It gets the builder's context; on steps, the state. */
export function callbackHook(event: HookEvent, given: readonly unknown[]): Registration {
  const { callback, ...options } = readCallback(event, given);
  if (!isFunction(callback)) {
    throw new TenterhookError("bad_hook", `a callback must be a function, not ${messageOf(callback)}.`, {
      hint: "Pass (callback, { priority, matcher }) or { callback, priority, matcher }.",
    });
  }
  const getsState = event === HookEvent.BeforeStep || event === HookEvent.AfterStep;
  const handle = async (ctx: Context<EngineEvent>) => {
    const context = contextFor(ctx);
    return readOutcome(await callback(getsState ? context.state() : context), context, ctx);
  };
  // Wrapped, because the handler's name would become the hook's. The engine checks at run time which outcomes and matchers the event has.
  return (hooks) =>
    hooks.on(
      engineEvents(event),
      ((ctx: never) => handle(ctx)) as never,
      engineOptions(options, callback.name),
    );
}

/** A hook object as a hook of the engine that wraps the ones behind it. The engine evaluates its matcher, so that `explain` shows it. */
export function hookObject(given: readonly unknown[]): Registration {
  const { event, hook, ...others } = readHookArguments(given);
  if (!isHook(hook)) {
    const problem = `a hook is an object with handle(context, next), not ${messageOf(hook)}.`;
    const hint = "For a function, use new CallableHook(callback, matcher).";
    throw new TenterhookError("bad_hook", problem, { hint });
  }
  const events = [event].flat() as readonly HookEvent[];
  const { name } = hook.constructor;
  if (hook.events !== undefined && !events.some((each) => hook.events?.includes(each))) {
    throw new TenterhookError("bad_hook", `this hook would never run on ${events.join(", ")}.`, {
      hook: name,
      hint: `It is for ${hook.events.join(", ")}.`,
    });
  }
  const isCallable = hook instanceof CallableHook;
  const own = isCallable ? engineMatcher(hook.matcher) : undefined;
  const options = engineOptions(others, isCallable ? hook.callback.name : name === "Object" ? "" : name);
  // A hook's own matcher and that of its registration must both match.
  const matcher = own && options.matcher ? allOf(own, options.matcher) : (own ?? options.matcher);
  const handle = wrap(isCallable ? hook.callback : (...args) => hook.handle(...args));
  const engine = events.flatMap(engineEvents);
  return (hooks) => hooks.use(engine, { handle } as never, { ...options, matcher: matcher as never });
}

function wrap(handle: (context: never, next: HookNext) => unknown) {
  return async (ctx: Context<EngineEvent>, next: (patch?: object) => Promise<Outcome>) => {
    const context = contextFor(ctx);
    /** An outcome that `next` cannot take as a patch: a result that turned from failure to success, or back. */
    let decided: Outcome | undefined;
    const builderNext: HookNext = (changed = context) => {
      const outcome = outcomeFor(changed, context, ctx);
      if (outcome !== undefined && outcome.type !== "proceed") decided = outcome;
      const patch = outcome?.type === "proceed" ? outcome.patch : undefined;
      const inner = next(patch).then(HookOutcome.of);
      // A hook need not wait for it, and then its rejection must not end the process.
      inner.catch(() => undefined);
      return inner;
    };
    const outcome = readOutcome(await handle(context as never, builderNext), context, ctx);
    return outcome === undefined || outcome.type === "proceed" ? (decided ?? outcome) : outcome;
  };
}

/** The engine's options. A function in the property `callback` gets that name, which is not a hook's name. */
function engineOptions({ matcher, ...rest }: BuilderHookOptions, name: string): HookOptions<never> {
  const known = name === "callback" ? undefined : name || undefined;
  return {
    ...rest,
    name: rest.name ?? known,
    matcher: engineMatcher(matcher) as never,
    // A rate limiter counts its calls, and would refuse the call that it has admitted.
    rejudge: rest.rejudge ?? false,
    source: "builder",
  };
}

function isHook(hook: unknown): hook is Hook {
  return typeof (hook as Partial<Hook> | null | undefined)?.handle === "function";
}

function isFunction(value: unknown): value is (...given: unknown[]) => unknown {
  return typeof value === "function";
}
