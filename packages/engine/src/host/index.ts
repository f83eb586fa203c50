export { snapshot } from "../answer/snapshot.ts";
export type { RunOptions } from "../context/dispatch-options.ts";
export type { Inheritance } from "../hooks.ts";
export type { AroundPoint, HookHost, HostGap, NewRegistration, Preparation } from "../register/inherited.ts";
export type { AroundOptions, Operation, WrapperDescriptor } from "../run/around.ts";
export type { HookSpan, Instrument, InstrumentOptions, Report } from "../trace/trace.ts";
export { callTool, endExecutedCall } from "./call-tool.ts";
export { type Ending, endRun, holdAtStop, readFailure, type StopAnswer } from "./ending.ts";
export { toError } from "./errors.ts";
export { decideApproval, dropEvaluation, isSameInput, renameEvaluation } from "./evaluate-tool.ts";
export {
  askModel,
  beginModelCall,
  callModel,
  type ModelCall,
  type ModelEnd,
  refusalText,
} from "./model-call.ts";
export {
  type AnswerChanges,
  type HookedAnswer,
  type HookedRequest,
  type ModelPort,
  plainModel,
  type RequestChanges,
} from "./model-port.ts";
export { type CallStart, type OpenCall, type OpenCallPort, openCall } from "./open-call.ts";
export { type ErrorLocation, offerError, type Recovery } from "./recovery.ts";
export {
  addHost,
  hasDecidingHooks,
  hasSources,
  hasWrappers,
  listWrappers,
  mayChangeAnswer,
  mayHaveAny,
  mayHaveHooks,
  mayHaveOneOf,
  mayReplaceAnswer,
  reservePosition,
} from "./registered-hooks.ts";
export {
  type AgentInfo,
  type Checks,
  type Delegation,
  type HostRun,
  type OwnFields,
  type RunInit,
  type RunStop,
  startRun,
} from "./run.ts";
export { RunSignal } from "./run-signal.ts";
export type { EndedCall, StepRecord } from "./step-record.ts";
export { StopGate, type StopGateOptions, type StopVerdict } from "./stop-gate.ts";
export { asParent, childHooks, findParent, type SubagentStart, startSubagent } from "./subagents.ts";
export {
  type Effect,
  findMissingEffect,
  type HostSupport,
  listEffects,
  listMissingEffects,
  type MissingEffect,
} from "./support.ts";
export type {
  Awaitable,
  InvalidCall,
  ToolApproval,
  ToolCall,
  ToolChecks,
  ToolEnd,
  ToolInput,
  ToolOutcome,
  ToolPort,
} from "./tool-port.ts";
export {
  afterStep,
  beforeStep,
  beginTurn,
  contextText,
  endSession,
  joinContext,
  type Refused,
  resumeTurn,
  type StepStart,
  startSession,
  type TurnStart,
} from "./turn.ts";
export { writableCopy } from "./writable-copy.ts";
