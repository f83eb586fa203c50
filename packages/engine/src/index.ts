export {
  type Action,
  ask,
  block,
  type EventName,
  type HookDescriptor,
  isBlocked,
  isStopped,
  type Message,
  type Metadata,
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
export type { ApprovalDecision, ApprovalRequest, Approver } from "./answer/approval.ts";
export type { DispatchOptions } from "./context/dispatch-options.ts";
export { type Context, newMetadata } from "./context/hook-context.ts";
export { createHooks, Hooks, type HooksOptions, type Unregister } from "./hooks.ts";
export {
  allOf,
  anyOf,
  eventType,
  inputPattern,
  type Matcher,
  type MatcherLike,
  not,
  predicate,
  toolName,
} from "./match/matcher.ts";
export type { Explanation } from "./plan/explain.ts";
export type { Answer, Handler, HookOptions, Middleware, Next } from "./register/hook.ts";
export type { AroundHandler } from "./run/around.ts";
export type { Dispatch } from "./run/dispatch-hooks.ts";
export type { HookLifecycleEvent } from "./trace/hook-lifecycle-event.ts";
export type { Trace, TraceEntry } from "./trace/trace.ts";
