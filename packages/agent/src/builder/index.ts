// The builder: an agent built with chained calls, with hooks that get context objects and return outcomes.
export * from "./adapters.ts";
export * from "./agent-builder.ts";
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
export * from "./hook.ts";
export { HookEvent } from "./hook-event.ts";
export * from "./hook-outcome.ts";
export type { HookReturn } from "./hook-return.ts";
export {
  CallableMatcher,
  CompositeMatcher,
  EventTypeMatcher,
  type HookMatcher,
  type MatcherOption,
  ToolNameMatcher,
} from "./matchers.ts";
