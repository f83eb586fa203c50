import { allOf, type Context, type HookOptions, type Hooks, type Outcome } from "@tenterhook/engine";
import type { MaybePromise } from "@tenterhook/engine/internal";
import { messageOf, whenReady } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { CallableHook } from "./callable-hook.ts";
import { outcomeFor } from "./changes.ts";
import type { HookContext } from "./contexts.ts";
import type { Hook, HookNext } from "./hook.ts";
import { type EngineEvent, engineEvents, type HookEvent } from "./hook-event.ts";
import { type BuilderHookOptions, engineOptions } from "./hook-options.ts";
import { HookOutcome } from "./hook-outcome.ts";
import { contextFor } from "./make-context.ts";
import { engineMatcher } from "./matchers.ts";
import { readValue } from "./returned-value.ts";

/** Registers a function that gets the builder's context as a hook of the engine. */
export function registerCallback(
  hooks: Hooks,
  event: HookEvent,
  call: (context: HookContext) => unknown,
  options: HookOptions,
): void {
  // The handler has no name of its own, which would become the hook's. The engine checks the outcomes and the matcher at run time.
  const handler = (() => (ctx: Context<EngineEvent>) => {
    const given = contextFor(ctx);
    return whenReady(call(given), (answer) => readAnswer(answer, given, ctx));
  })();
  hooks.on(event, handler as never, options as HookOptions<never>);
}

/** Registers a hook that wraps the ones behind it. */
export function registerHook(
  hooks: Hooks,
  events: readonly HookEvent[],
  { handle, options }: ReadHook,
): void {
  const middleware = (ctx: Context<EngineEvent>, next: (patch?: object) => MaybePromise<Outcome>) => {
    const given = contextFor(ctx);
    /** An outcome that `next` cannot take as a patch: a result that turned from failure to success, or back. */
    let decided: Outcome | undefined;
    const builderNext: HookNext = (changed = given) => {
      const outcome = outcomeFor(changed, given, ctx);
      if (outcome !== undefined && outcome.type !== "proceed") decided = outcome;
      const patch = outcome?.type === "proceed" ? outcome.patch : undefined;
      const inner = whenReady(next(patch), HookOutcome.of);
      // A hook need not wait for it, and then its rejection must not end the process.
      if (inner instanceof Promise) inner.catch(() => undefined);
      return inner;
    };
    return whenReady(handle(given, builderNext), (answer) => {
      const outcome = readAnswer(answer, given, ctx);
      return outcome === undefined || outcome.type === "proceed" ? (decided ?? outcome) : outcome;
    });
  };
  // The engine checks at run time which outcomes and matchers the event has.
  hooks.use(events.flatMap(engineEvents), { handle: middleware } as never, options as HookOptions<never>);
}

/** A hook object, taken apart for the engine. */
export interface ReadHook {
  readonly handle: (context: HookContext, next: HookNext) => unknown;
  readonly options: HookOptions;
}

/** Takes a hook apart: the engine evaluates its matcher, so that `explain` shows it. */
export function readHook(hook: unknown, events: readonly HookEvent[], given: BuilderHookOptions): ReadHook {
  if (!isHook(hook)) {
    const problem = `a hook is an object with handle(context, next), not ${messageOf(hook)}.`;
    const hint = "For a function, use new CallableHook(callback, matcher).";
    throw new TenterhookError("bad_hook", problem, { hint });
  }
  const { name } = hook.constructor;
  if (hook.events !== undefined && !events.some((event) => hook.events?.includes(event))) {
    throw new TenterhookError("bad_hook", `this hook would never run on ${events.join(", ")}.`, {
      hook: name,
      hint: `It is for ${hook.events.join(", ")}.`,
    });
  }
  if (hook instanceof CallableHook) {
    const { callback } = hook;
    const options = engineOptions(given, callback.name);
    const [own, other] = [engineMatcher(hook.matcher), options.matcher];
    // A hook's own matcher and that of its registration must both match.
    const matcher = own === undefined || other === undefined ? (own ?? other) : allOf(own, other);
    return { handle: callback, options: { ...options, matcher } };
  }
  return {
    handle: (...args) => hook.handle(...args),
    options: engineOptions(given, name === "Object" ? "" : name),
  };
}

function isHook(hook: unknown): hook is Hook {
  return typeof (hook as Partial<Hook> | null | undefined)?.handle === "function";
}

/** Reads a hook's answer. What the builder does not know is passed on: the engine accepts its own outcomes and rejects the rest. */
function readAnswer(answer: unknown, given: HookContext, ctx: Context<EngineEvent>): Outcome | undefined {
  const outcome = answer instanceof HookOutcome ? answer : readValue(answer, given);
  if (outcome === undefined) return answer as Outcome | undefined;
  const changed = outcome.context();
  return changed === undefined ? outcome.engineOutcome() : outcomeFor(changed, given, ctx);
}
