export { type About, formatAbout, parseAbout } from "./about.ts";
export {
  findFolderProblem,
  findPathProblem,
  makeResidentFolder,
  type ResidentFiles,
  type ResidentOwner,
  residentFiles,
  residentFolder,
} from "./folder.ts";
export { findText, LONGEST_HEAD, type RequestHead, readRequestHead } from "./request.ts";
export { formatResponse, type ResidentAnswer, textName } from "./response.ts";
export { isResident, stopResident } from "./stop.ts";
