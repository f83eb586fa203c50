// The parts that all adapters share. It imports no framework; a run with hooks is in `@tenterhook/engine/host`.
export { type AdapterOptions, findModel, type HookSource, readHooks, warnOnce } from "./adapter-options.ts";
export { type AgentHooks, checkSupport, listInstalled, listNeeded, listSupported } from "./check-support.ts";
export { type FrameworkRun, startFrameworkRun } from "./framework-run.ts";
export { parseInput, readUserText, replaceUserText } from "./framework-values.ts";
export { hasHooksAlready, noteHooks } from "./known-hooks.ts";
export { drain, type Emit, relay } from "./relay.ts";
export {
  type AdapterName,
  type AdapterSupport,
  AGENT_EVENTS,
  type EventSupport,
  type Peer,
  readSupport,
} from "./support.ts";
