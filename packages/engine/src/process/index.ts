export { environmentWithoutSecrets, hasCredentials, looksSecret } from "./environment.ts";
export { OutputEnds, OutputHead, OutputTail } from "./output.ts";
export {
  FLOOD_LIMIT,
  guardProcesses,
  killAtExit,
  type OutputKeeper,
  type ProcessExit,
  type ProcessOptions,
  runProcess,
  signalProcessTree,
} from "./run-process.ts";
