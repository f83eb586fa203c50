export { environmentWithoutSecrets, hasCredentials, looksSecret } from "./environment.ts";
export { OutputEnds } from "./output-ends.ts";
export { OutputHead } from "./output-head.ts";
export { OutputTail } from "./output-tail.ts";
export { signalProcessTree } from "./process-tree.ts";
export {
  FLOOD_LIMIT,
  guardProcesses,
  type OutputKeeper,
  type ProcessExit,
  type ProcessOptions,
  runProcess,
} from "./run-process.ts";
