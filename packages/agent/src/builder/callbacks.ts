import type { MaybePromise, OutcomeOf } from "@tenterhook/engine";
import type { ContextByEvent } from "./contexts/context-for.ts";
import type { AgentExecution } from "./data/agent-execution.ts";
import type { AgentState } from "./data/agent-state.ts";
import type { ToolCall } from "./data/tool-call.ts";
import type { EngineEvent, HookEvent } from "./hook-event.ts";
import type { HookOutcome } from "./hook-outcome.ts";

/** An outcome of the builder, or of the engine where the event has more of them; nothing proceeds. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks is written as a function without a return.
type Answer<E extends HookEvent> = HookOutcome | OutcomeOf<EngineEvent<E>> | undefined | void;

/** Called with the event's context. Callbacks may throw: that is a failure of the hook. */
export type EventCallback<E extends HookEvent, More = never> = (
  context: ContextByEvent[E],
) => MaybePromise<Answer<E> | More>;

/** May also return a call with other arguments, or null, which blocks. */
export type BeforeToolCallback = EventCallback<"PreToolUse", ToolCall | null>;

/** May also return an execution with another result. */
export type AfterToolCallback = EventCallback<"PostToolUse", AgentExecution>;

/** Called with the state; may return a changed one. */
export type StepCallback<E extends "BeforeStep" | "AfterStep"> = (
  state: AgentState,
) => MaybePromise<AgentState | Answer<E>>;
