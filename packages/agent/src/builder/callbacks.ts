import type { HookOptions, MaybePromise, OutcomeOf } from "@tenterhook/engine";
import { messageOf, TenterhookError } from "@tenterhook/protocol";
import type { AgentExecution } from "./data/agent-execution.ts";
import type { AgentState } from "./data/agent-state.ts";
import type { ToolCall } from "./data/tool-call.ts";
import type { EngineEvent, HookEvent } from "./hook-event.ts";
import type { HookOutcome } from "./hook-outcome.ts";
import type { ContextByEvent } from "./make-context.ts";
import { engineMatcher, type MatcherOption } from "./matchers.ts";

/** An outcome of the builder, or of the engine if the event has more of them; nothing proceeds. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only observes is written as a function without a return.
export type Answer<E extends HookEvent> = HookOutcome | OutcomeOf<EngineEvent<E>> | undefined | void;

/** Gets the event's context. A callback may throw: that is a failure of the hook. */
export type EventCallback<E extends HookEvent, More = never> = (
  context: ContextByEvent[E],
) => MaybePromise<Answer<E> | More>;

/** May also return a call with other arguments, or null, which blocks. */
export type BeforeToolCallback = EventCallback<"PreToolUse", ToolCall | null>;

/** May also return an execution with another result. */
export type AfterToolCallback = EventCallback<"PostToolUse", AgentExecution>;

/** Gets the state; may return a changed one. */
export type StepCallback<E extends "BeforeStep" | "AfterStep"> = (
  state: AgentState,
) => MaybePromise<AgentState | Answer<E>>;

/**
 * How a hook is registered. `priority`: higher first, default 0, ties in order of registration. `rejudge`: default false, unlike
 * in the engine; a guard that must see what later hooks change sets it.
 */
export interface BuilderHookOptions extends Omit<HookOptions, "matcher" | "source" | "position"> {
  /** Default: everything. Matchers by tool name are for tool hooks. */
  readonly matcher?: MatcherOption | null | undefined;
}

/** Callback and options in one object, like named arguments. */
export interface NamedCallback<F> extends BuilderHookOptions {
  readonly callback: F;
}

/** Reads both forms of a registration: `(callback, options)` and `{ callback, ...options }`. */
export function readCallback<F extends (...given: never[]) => unknown>(
  given: F | NamedCallback<F>,
  options: BuilderHookOptions,
): { readonly callback: F; readonly options: HookOptions } {
  const { callback, ...rest } = typeof given === "function" ? { ...options, callback: given } : { ...given };
  if (typeof callback !== "function") {
    throw new TenterhookError("bad_hook", `a callback must be a function, not ${messageOf(callback)}.`, {
      hint: "Pass (callback, { priority, matcher }) or { callback, priority, matcher }.",
    });
  }
  return { callback, options: engineOptions(rest, callback.name) };
}

/** The engine's options. A function in the property `callback` gets that name, which is not a hook's name. */
export function engineOptions({ matcher, ...rest }: BuilderHookOptions, name: string): HookOptions {
  const known = name === "callback" ? undefined : name || undefined;
  return {
    ...rest,
    name: rest.name ?? known,
    matcher: engineMatcher(matcher),
    // A rate limiter counts its calls, and would refuse the call that it has admitted.
    rejudge: rest.rejudge ?? false,
    source: "builder",
  };
}
