import { messageOf, systemCode } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";

/** The meanings of system error codes, as the end of a sentence about a path. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "may not be used by this process: permission denied",
  EPERM: "may not be used by this process: not permitted",
  ENOTDIR: "has a part that is not a folder",
  EISDIR: "is a folder",
  ELOOP: "has a link that was not there before, or links in a cycle",
  ENAMETOOLONG: "is too long a path",
  ENOSPC: "cannot be written: the disk is full",
  EROFS: "cannot be written: the file system is read-only",
};

/** An error about a path, as the model gets it. A `TenterhookError` is returned unchanged. */
export function pathFailure(error: unknown, path: string): TenterhookError {
  if (TenterhookError.isInstance(error)) return error;
  const meaning = MEANINGS[systemCode(error) ?? ""];
  const message = meaning === undefined ? `"${path}": ${messageOf(error)}` : `"${path}" ${meaning}.`;
  return new TenterhookError("tool_failed", message, { cause: error });
}

/** Throws when the call was cancelled. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted)
    throw new TenterhookError("tool_failed", "the call was cancelled.", { cause: signal.reason });
}
