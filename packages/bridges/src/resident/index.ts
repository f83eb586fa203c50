export { type About, formatAbout } from "./about.ts";
export {
  findFolderProblem,
  findPathProblem,
  makeResidentFolder,
  type ResidentFiles,
  type ResidentOwner,
  residentFiles,
  residentFolder,
} from "./folder.ts";
export { FRONT_LATE } from "./front-late.ts";
export { formatMessage, LONGEST_MESSAGE, MessageReader } from "./messages.ts";
export { readAbout } from "./read-about.ts";
export { type CallHead, formatStatusRequest, type ResidentRequest, readRequest } from "./request.ts";
export { formatAnswer, formatDecision, type ResidentAnswer } from "./response.ts";
export { isResident, stopResident } from "./stop.ts";
