// The parts that all adapters share. It imports no framework.
export {
  type AnswerChanges,
  type Approval,
  asParent,
  type Beginning,
  type CallBeginning,
  type CallEnd,
  callModel,
  callTool,
  contextText,
  type Delegation,
  decideApproval,
  type Effect,
  findMissingEffect,
  findParent,
  HookedModelCall,
  HookedRun,
  isSameInput,
  listEffects,
  listMissingEffects,
  type ModelAnswer,
  type ModelForm,
  type ModelRequest,
  mayHaveAny,
  mayHaveOneOf,
  OpenCall,
  offerToErrorHooks,
  type RequestChanges,
  type RunDetails,
  type RunEnding,
  RunEvents,
  refusalText,
  type StepBeginning,
  type StopAnswer,
  type ToolCall,
  type ToolChecks,
  type ToolEnd,
  type ToolForm,
  type ToolOutcome,
  toError,
  writableCopy,
} from "@tenterhook/engine/host";
export type { AdapterName } from "./adapter-name.ts";
export { type AdapterOptions, type HookSource, readHooks } from "./adapter-options.ts";
export { checkPeer, type Peer, readVersion } from "./check-peer.ts";
export { SupportCheck } from "./check-support.ts";
export { listInstalled, listNeeded, listSupported } from "./installed-events.ts";
export { hasHooksAlready, noteHooks } from "./known-hooks.ts";
export { type AdapterSupport, AGENT_EVENTS, type EventSupport, readSupport } from "./support.ts";
export { warnOnce } from "./warn.ts";
