export {
  type Action,
  ask,
  block,
  type EventAlias,
  type EventName,
  type HookDescriptor,
  type HookMode,
  type Immutable,
  isBlocked,
  isStopped,
  type Message,
  type Metadata,
  type OnError,
  type Outcome,
  type OutcomeOf,
  type Patch,
  type Payload,
  proceed,
  recover,
  skip,
  stop,
  TenterhookError,
  ToolFailure,
  type ToolUse,
} from "@tenterhook/protocol";
export type { FieldChange } from "./answer/answer.ts";
export type { ApprovalDecision, ApprovalRequest, Approver } from "./answer/approval.ts";
export { snapshot } from "./answer/snapshot.ts";
export type { DispatchOptions, RunOptions } from "./context/dispatch-options.ts";
export type { Context } from "./context/hook-context.ts";
export { newMetadata } from "./context/hook-run-context.ts";
export {
  createHooks,
  Hooks,
  type HooksOptions,
  type Inheritance,
  type Unregister,
  /** @deprecated Removed in the next version: use `Unregister`. */
  type Unregister as Undo,
} from "./hooks.ts";
export { inputPattern } from "./match/input-pattern.ts";
export { type InputTexts, textsOf as inputTexts } from "./match/input-texts.ts";
export type { Match, Matcher } from "./match/match.ts";
export { allOf, anyOf, eventType, type MatcherLike, not, predicate } from "./match/matcher.ts";
export { matches } from "./match/matches.ts";
export { compilePattern, type Pattern } from "./match/pattern.ts";
export { PatternBudget } from "./match/pattern-budget.ts";
export { hasPlainWord, type PlainWord, plainWords } from "./match/plain-pattern.ts";
export { LONGEST_TOOL_NAME, toolName } from "./match/tool-name.ts";
export type { ExplainedHook, Explanation } from "./plan/explain.ts";
export type { Answer, Handler, HookOptions, MaybePromise, Middleware, Next } from "./register/hook.ts";
export type { Preparation } from "./register/preparations.ts";
export type { AroundHandler, AroundOptions, AroundPoint, Operation } from "./run/around.ts";
export type { Dispatch } from "./run/dispatch.ts";
export { StopGate, type StopGateOptions, type StopVerdict } from "./run/stop-gate.ts";
// These surfaces have their own entry points: `@tenterhook/engine/stack`, `/config` and `/named`. Removed here in the next version.
export { HookStack, type StackHook, type StackNext } from "./stack/hook-stack.ts";
export { ConfigHooks } from "./surfaces/config/config-hooks.ts";
export type {
  AfterIterationHook,
  AfterIterationHookContext,
  AfterLLMHook,
  AfterLLMHookContext,
  AfterToolHook,
  AfterToolHookContext,
  AfterToolHookResult,
  BeforeIterationHook,
  BeforeLLMHook,
  BeforeLLMHookResult,
  BeforeToolHook,
  BeforeToolHookResult,
  ConfigHook,
  ErrorHookContext,
  ErrorHookResult,
  HookContext as ConfigHookContext,
  HookEvent as ConfigHookEvent,
  HookEventType as ConfigHookEventType,
  HookRegistrationOptions,
  HooksConfig,
  HookType,
  IterationHookContext,
  LLMHookContext,
  OnErrorHook,
  ToolExecutionResult,
  ToolHookContext,
} from "./surfaces/config/types.ts";
export * from "./surfaces/named/index.ts";
export type { HookEvent, HookEventType } from "./trace/hook-event.ts";
export type { HookSpan, Instrument, InstrumentOptions, Report } from "./trace/observers.ts";
export type { Trace, TraceEntry } from "./trace/trace.ts";
