import type { HookOptions, OutcomeOf } from "@tenterhook/engine";
import type { MaybePromise } from "@tenterhook/engine/internal";
import { messageOf } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { AgentExecution } from "./data/agent-execution.ts";
import type { AgentState } from "./data/agent-state.ts";
import type { ToolCall } from "./data/tool-call.ts";
import type { EngineEvent, HookEvent } from "./hook-event.ts";
import {
  type BuilderHookOptions,
  engineOptions,
  type Positions,
  readNamed,
  readOptions,
} from "./hook-options.ts";
import type { HookOutcome } from "./hook-outcome.ts";
import type { ContextByEvent } from "./make-context.ts";
import type { MatcherOption } from "./matchers.ts";

/** An outcome of the builder, or of the engine if the event has more of them; nothing proceeds. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only observes is written as a function without a return.
export type Answer<E extends HookEvent> = HookOutcome | OutcomeOf<EngineEvent<E>> | undefined | void;

/** What hooks on some events may return beside outcomes; `readValue` reads it. */
interface ValueByEvent {
  /** A call with other arguments, or null, which blocks. */
  readonly PreToolUse: ToolCall | null;
  /** An execution with another result. */
  readonly PostToolUse: AgentExecution;
  readonly BeforeStep: AgentState;
  readonly AfterStep: AgentState;
}

/** Everything that a hook on an event may return; its context, or a changed copy of it, proceeds with that. */
export type HookReturn<E extends HookEvent> =
  | Answer<E>
  | ContextByEvent[E]
  | (E extends keyof ValueByEvent ? ValueByEvent[E] : never);

/** Gets the event's context. A callback may throw: that is a failure of the hook. */
export type EventCallback<E extends HookEvent> = (context: ContextByEvent[E]) => MaybePromise<HookReturn<E>>;

/** May also return a call with other arguments, or null, which blocks. */
export type BeforeToolCallback = EventCallback<"PreToolUse">;

/** May also return an execution with another result. */
export type AfterToolCallback = EventCallback<"PostToolUse">;

/** Gets the state; may return a changed one. */
export type StepCallback<E extends "BeforeStep" | "AfterStep"> = (
  state: AgentState,
) => MaybePromise<HookReturn<E>>;

/** Callback and options in one object, like named arguments. */
export interface NamedCallback<F, M extends MatcherOption = MatcherOption> extends BuilderHookOptions<M> {
  readonly callback: F;
}

/** What may follow a callback: its priority and matcher by position, or options. */
export type CallbackArguments<M extends MatcherOption = MatcherOption> =
  | readonly [priority?: number | undefined, matcher?: M | null | undefined]
  | readonly [options: BuilderHookOptions<M>];

/** Elsewhere a matcher is a predicate, which is seldom needed. */
const WITH_TOOL = '(callback, 100, "bash") or (callback, { priority: 100, matcher: "bash" })';
const WITHOUT_TOOL = "(callback, 100) or (callback, { priority: 100 })";

function findPositions(event: HookEvent): Positions {
  const hasTool = event === "PreToolUse" || event === "PostToolUse";
  return { before: 1, takesMatcher: true, write: hasTool ? WITH_TOOL : WITHOUT_TOOL };
}

/** Reads all forms of a registration: `(callback, priority, matcher)`, `(callback, options)` and `{ callback, ...options }`. */
export function readCallback<F extends (...given: never[]) => unknown>(
  event: HookEvent,
  given: F | NamedCallback<F>,
  more: readonly unknown[],
): { readonly callback: F; readonly options: HookOptions } {
  const { callback, ...options } =
    typeof given === "function"
      ? { ...readOptions(event, more, findPositions(event)), callback: given }
      : { ...readNamed(event, given, more, "{ callback, priority, matcher }") };
  if (typeof callback !== "function") {
    throw new TenterhookError("bad_hook", `a callback must be a function, not ${messageOf(callback)}.`, {
      hint: "Pass (callback, { priority, matcher }) or { callback, priority, matcher }.",
    });
  }
  return { callback, options: engineOptions(options, callback.name) };
}
