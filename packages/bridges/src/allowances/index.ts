// Calls that wait for a person's answer, for the command. Not stable.
export {
  ALLOWED_MS,
  ASKED_MS,
  allow,
  findWaiting,
  listWaiting,
  type WaitingCall,
} from "./allowance-files.ts";
export { type AskedCall, type AskedInput, type Question, readCode } from "./asked-call.ts";
