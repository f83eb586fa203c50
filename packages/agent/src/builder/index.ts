// The builder: an agent built with chained calls, with hooks that get context objects and return outcomes.
export {
  type Continuation,
  ContinuationCriteriaAdapter,
  type ContinuationCriterion,
  type StateProcessor,
  StateProcessorAdapter,
} from "./adapters.ts";
export { AgentBuilder } from "./agent-builder.ts";
export type {
  AfterToolCallback,
  BeforeToolCallback,
  BuilderHookOptions,
  CallbackArguments,
  EventCallback,
  HookArguments,
  NamedCallback,
  StepCallback,
} from "./arguments.ts";
export {
  type ContextByEvent,
  ContinuationOutcome,
  contextFromJSON,
  ExecutionHookContext,
  FailureHookContext,
  HookContext,
  HookContext as AbstractHookContext,
  StepHookContext,
  StopHookContext,
  ToolHookContext,
} from "./contexts.ts";
export {
  AgentExecution,
  AgentState,
  AgentStep,
  StateMetadata,
  ToolCall,
  ToolCalls,
  ToolResult,
} from "./data.ts";
export {
  AfterStepHook,
  AfterToolHook,
  AgentFailedHook,
  BeforeStepHook,
  BeforeToolHook,
  CallableHook,
  ExecutionEndHook,
  ExecutionStartHook,
  type Hook,
  type HookCallback,
  type HookNext,
  HookStack,
  StopHook,
  SubagentStopHook,
} from "./hook.ts";
export { HookEvent } from "./hook-event.ts";
export { HookOutcome, type OutcomeJSON } from "./hook-outcome.ts";
export type { HookReturn } from "./hook-return.ts";
export {
  CallableMatcher,
  CompositeMatcher,
  EventTypeMatcher,
  type HookMatcher,
  type MatcherOption,
  ToolNameMatcher,
} from "./matchers.ts";
