// The parts that all adapters share. It imports no framework.
export type { AdapterName } from "./adapter-name.ts";
export { type AdapterOptions, type HookSource, readHooks } from "./adapter-options.ts";
export { type CallEnd, callModel, HookedModelCall } from "./call-model.ts";
export { callTool, type ToolEnd, type ToolForm } from "./call-tool.ts";
export { checkPeer, type Peer, readVersion } from "./check-peer.ts";
export { SupportCheck } from "./check-support.ts";
export { contextText, refusalText } from "./context-text.ts";
export { findMissingEffect, listEffects, listMissingEffects } from "./effects.ts";
export {
  type Approval,
  decideApproval,
  isSameInput,
  type ToolCall,
  type ToolChecks,
} from "./evaluate-tool.ts";
export { type Delegation, HookedRun, type RunDetails } from "./hooked-run.ts";
export { listInstalled, listNeeded, listSupported } from "./installed-events.ts";
export { hasHooksAlready, noteHooks } from "./known-hooks.ts";
export type { AnswerChanges, ModelAnswer, ModelForm, ModelRequest, RequestChanges } from "./model-form.ts";
export { type CallBeginning, OpenCall, type ToolOutcome } from "./open-call.ts";
export { asParent, findParent } from "./parent-run.ts";
export { mayHaveAny, mayHaveOneOf } from "./present-hooks.ts";
export { offerToErrorHooks } from "./recovery.ts";
export {
  type Beginning,
  type RunEnding,
  RunEvents,
  type StepBeginning,
  type StopAnswer,
} from "./run-events.ts";
export { type AdapterSupport, AGENT_EVENTS, type Effect, type EventSupport, readSupport } from "./support.ts";
export { toError } from "./to-error.ts";
export { warnOnce } from "./warn.ts";
export { writableCopy } from "./writable-copy.ts";
