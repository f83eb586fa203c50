// The parts that all adapters share. It imports no framework; a run with hooks is in `@tenterhook/engine/host`.
export { type AdapterOptions, type HookSource, readHooks, warnOnce } from "./adapter-options.ts";
export { listInstalled, listNeeded, listSupported, SupportCheck } from "./check-support.ts";
export { type FrameworkRun, startFrameworkRun } from "./framework-run.ts";
export { hasHooksAlready, noteHooks } from "./known-hooks.ts";
export {
  type AdapterName,
  type AdapterSupport,
  AGENT_EVENTS,
  type EventSupport,
  type Peer,
  readSupport,
} from "./support.ts";
