export { snapshot } from "../answer/snapshot.ts";
export type { RunOptions } from "../context/dispatch-options.ts";
export { RunSignal } from "../context/run-signal.ts";
export type { Inheritance } from "../hooks.ts";
export type { Preparation } from "../register/preparations.ts";
export type { AroundOptions, AroundPoint, Operation, WrapperDescriptor } from "../run/around.ts";
export { StopGate, type StopGateOptions, type StopVerdict } from "../run/stop-gate.ts";
export type { HookSpan, Instrument, InstrumentOptions, Report } from "../trace/observers.ts";
export { type CallEnd, callModel, HookedModelCall } from "./call-model.ts";
export { callTool, type ToolEnd, type ToolForm } from "./call-tool.ts";
export { contextText, refusalText } from "./context-text.ts";
export {
  type Effect,
  findMissingEffect,
  type HostSupport,
  listEffects,
  listMissingEffects,
} from "./effects.ts";
export {
  type Approval,
  decideApproval,
  isSameInput,
  type ToolCall,
  type ToolChecks,
} from "./evaluate-tool.ts";
export type { HookHost, HostGap, NewRegistration } from "./hook-hosts.ts";
export { type Delegation, HookedRun, type HostOptions, type RunDetails } from "./hooked-run.ts";
export type { AnswerChanges, ModelAnswer, ModelForm, ModelRequest, RequestChanges } from "./model-form.ts";
export { type CallBeginning, OpenCall, type ToolOutcome } from "./open-call.ts";
export { asParent, findParent } from "./parent-run.ts";
export { offerToErrorHooks } from "./recovery.ts";
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
  reservePosition,
} from "./registered-hooks.ts";
export {
  type Beginning,
  type RunEnding,
  RunEvents,
  type StepBeginning,
  type StopAnswer,
} from "./run-events.ts";
export { toError } from "./to-error.ts";
export { writableCopy } from "./writable-copy.ts";
