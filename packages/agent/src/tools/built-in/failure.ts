import { messageOf, TenterhookError } from "@tenterhook/protocol";

/** What the system's error codes mean, as the end of a sentence about a path. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "may not be used by this process: permission denied",
  EPERM: "may not be used by this process: not permitted",
  ENOTDIR: "has something on its way that is not a folder",
  EISDIR: "is a folder",
  ELOOP: "has a link on its way that was not there before, or links that lead in circles",
  ENAMETOOLONG: "is too long a path",
  ENOSPC: "cannot be written: the disk is full",
  EROFS: "cannot be written: the file system is read-only",
};

/** Something that went wrong with a path, as what the model is told. What is a `TenterhookError` already stays itself. */
export function pathFailure(error: unknown, path: string): TenterhookError {
  if (TenterhookError.isInstance(error)) return error;
  const meaning = MEANINGS[systemCode(error) ?? ""];
  const message = meaning === undefined ? `"${path}": ${messageOf(error)}` : `"${path}" ${meaning}.`;
  return new TenterhookError("tool_failed", message, { cause: error });
}

/** Throws when the call is no longer wanted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted)
    throw new TenterhookError("tool_failed", "the call was cancelled.", { cause: signal.reason });
}

/** `ENOENT` and the like. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}
