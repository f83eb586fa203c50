// The parts that all adapters share. It imports no framework; a run with hooks is in `@tenterhook/engine/host`.
export { type AdapterOptions, type HookSource, readHooks, warnOnce } from "./adapter-options.ts";
export { type AgentHooks, checkSupport, listInstalled, listNeeded, listSupported } from "./check-support.ts";
export { findModel } from "./find-model.ts";
export { type FrameworkRun, startFrameworkRun } from "./framework-run.ts";
export { hasHooksAlready, noteHooks } from "./known-hooks.ts";
export { parseInput } from "./parse-input.ts";
export { drain, type Emit, relay } from "./relay.ts";
export {
  type AdapterName,
  type AdapterSupport,
  AGENT_EVENTS,
  type EventSupport,
  type Peer,
  readSupport,
} from "./support.ts";
export { readUserText, replaceUserText } from "./user-text.ts";
