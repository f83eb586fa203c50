// The builder: an agent put together by chained calls, with hooks that are given contexts and return outcomes.
export {
  type Continuation,
  ContinuationCriteriaAdapter,
  type ContinuationCriterion,
} from "./adapters/continuation-criteria-adapter.ts";
export { type StateProcessor, StateProcessorAdapter } from "./adapters/state-processor-adapter.ts";
export { AgentBuilder } from "./agent-builder.ts";
export { CallableHook, type HookCallback } from "./callable-hook.ts";
export type { BuilderHookOptions, NamedCallback } from "./callback-options.ts";
export type { AfterToolCallback, BeforeToolCallback, EventCallback, StepCallback } from "./callbacks.ts";
export type { ContextByEvent } from "./contexts/context-for.ts";
export { contextFromJSON } from "./contexts/context-from-json.ts";
export { ExecutionHookContext } from "./contexts/execution-hook-context.ts";
export { FailureHookContext } from "./contexts/failure-hook-context.ts";
export { HookContext } from "./contexts/hook-context.ts";
export { StepHookContext } from "./contexts/step-hook-context.ts";
export { StopHookContext } from "./contexts/stop-hook-context.ts";
export { ToolHookContext } from "./contexts/tool-hook-context.ts";
export { AgentExecution } from "./data/agent-execution.ts";
export { AgentState } from "./data/agent-state.ts";
export { AgentStep } from "./data/agent-step.ts";
export { ContinuationOutcome } from "./data/continuation-outcome.ts";
export { StateMetadata } from "./data/state-metadata.ts";
export { ToolCall } from "./data/tool-call.ts";
export { ToolCalls } from "./data/tool-calls.ts";
export { ToolResult } from "./data/tool-result.ts";
export type { Hook, HookNext } from "./hook.ts";
export { HookEvent } from "./hook-event.ts";
export { HookOutcome, type OutcomeJSON } from "./hook-outcome.ts";
export { HookStack } from "./hook-stack.ts";
export { CallableMatcher } from "./matchers/callable-matcher.ts";
export { CompositeMatcher } from "./matchers/composite-matcher.ts";
export { EventTypeMatcher } from "./matchers/event-type-matcher.ts";
export type { HookMatcher } from "./matchers/hook-matcher.ts";
export type { MatcherOption } from "./matchers/read-matcher.ts";
export { ToolNameMatcher } from "./matchers/tool-name-matcher.ts";
