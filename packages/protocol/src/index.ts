// Everything here can be had without loading zod; the schemas are in `@tenterhook/protocol/schemas`.
export { ERROR_CODES, type ErrorCode, type ErrorDetails, TenterhookError } from "@tenterhook/internal";
export { ACTIONS, type Action } from "./actions.ts";
export type { HookDescriptor, HookMode, OnError } from "./descriptor.ts";
export type { EventRow } from "./event-row.ts";
export { EVENT_NAMES, EVENTS, type EventAlias, type EventName, eventRow, isEventName } from "./events.ts";
export type { Finding, HookFile } from "./hook-file.ts";
export {
  type Ask,
  ask,
  type Block,
  block,
  isBlocked,
  isStopped,
  type Outcome,
  type OutcomeType,
  type Proceed,
  proceed,
  type Recover,
  reasonOf,
  recover,
  type Skip,
  type Stop,
  skip,
  stop,
} from "./outcomes.ts";
export { ToolFailure, type ToolFailureDetails } from "./tool-failure.ts";
export type {
  ErrorInfo,
  Immutable,
  Message,
  Metadata,
  OutcomeOf,
  Patch,
  Payload,
  ToolDefinition,
  ToolUse,
  Usage,
} from "./types.ts";
export { WOULD_HAVE, type WouldHave } from "./would-have.ts";
