export { environmentWithoutSecrets, hasCredentials, looksSecret } from "./environment.ts";
export { OutputEnds, OutputHead, OutputTail } from "./output.ts";
export { killAtExit, signalProcessTree } from "./process-tree.ts";
export {
  FLOOD_LIMIT,
  guardProcesses,
  type OutputKeeper,
  type ProcessExit,
  type ProcessOptions,
  runProcess,
} from "./run-process.ts";
