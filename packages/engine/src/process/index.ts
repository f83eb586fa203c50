export { environmentWithoutSecrets, hasCredentials, looksSecret } from "./environment.ts";
export {
  FLOOD_LIMIT,
  guardProcesses,
  killAtExit,
  OutputEnds,
  OutputHead,
  type OutputKeeper,
  OutputTail,
  type ProcessExit,
  type ProcessOptions,
  runProcess,
  signalProcessTree,
} from "./run-process.ts";
