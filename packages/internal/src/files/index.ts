export { checkedText, checksum, withChecksum } from "./checksum.ts";
export { underLock, underLockSync } from "./file-lock.ts";
export { giveToParentOwner, isFolder, makeFolders } from "./folders.ts";
export { isMissing, isNotFound } from "./is-missing.ts";
export { isRunning } from "./is-running.ts";
export { readPlainBytes, readPlainFile, replacePlainFile, withOpenFile } from "./plain-file.ts";
export { isInside, realFoldersAround, realPath } from "./real-path.ts";
export { removeUnused, removeUnusedDaily } from "./remove-unused.ts";
export {
  ALWAYS_NEW,
  isReliable,
  isSameSignature,
  type Signature,
  signatureOf,
  UNREACHABLE,
} from "./signature.ts";
export { readSmallText, type SmallText } from "./small-text.ts";
