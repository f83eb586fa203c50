// The builder: an agent built with chained calls, with hooks that get context objects and return outcomes.
export {
  type Continuation,
  ContinuationCriteriaAdapter,
  type ContinuationCriterion,
  type StateProcessor,
  StateProcessorAdapter,
} from "./adapters.ts";
export { AgentBuilder } from "./agent-builder.ts";
export { CallableHook, type HookCallback } from "./callable-hook.ts";
export type {
  AfterToolCallback,
  BeforeToolCallback,
  CallbackArguments,
  EventCallback,
  HookReturn,
  NamedCallback,
  StepCallback,
} from "./callbacks.ts";
export {
  ContinuationOutcome,
  ExecutionHookContext,
  FailureHookContext,
  HookContext,
  HookContext as AbstractHookContext,
  StepHookContext,
  StopHookContext,
  ToolHookContext,
} from "./contexts.ts";
export { AgentExecution } from "./data/agent-execution.ts";
export { AgentState, StateMetadata } from "./data/agent-state.ts";
export { AgentStep } from "./data/agent-step.ts";
export { ToolCall, ToolCalls } from "./data/tool-call.ts";
export { ToolResult } from "./data/tool-result.ts";
export {
  AfterStepHook,
  AfterToolHook,
  AgentFailedHook,
  BeforeStepHook,
  BeforeToolHook,
  ExecutionEndHook,
  ExecutionStartHook,
  StopHook,
  SubagentStopHook,
} from "./event-hooks.ts";
export type { Hook, HookNext } from "./hook.ts";
export type { HookArguments } from "./hook-arguments.ts";
export { HookEvent } from "./hook-event.ts";
export type { BuilderHookOptions } from "./hook-options.ts";
export { HookOutcome, type OutcomeJSON } from "./hook-outcome.ts";
export { HookStack } from "./hook-stack.ts";
export { type ContextByEvent, contextFromJSON } from "./make-context.ts";
export {
  CallableMatcher,
  CompositeMatcher,
  EventTypeMatcher,
  type HookMatcher,
  type MatcherOption,
  ToolNameMatcher,
} from "./matchers.ts";
