import { shownPath } from "./shown-hook.ts";
import { UsageError } from "./usage-error.ts";

/** What the system says of a file or folder, in words. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOTDIR: "a part of the path is a file, not a folder",
  EEXIST: "there is a file of that name",
  EISDIR: "there is a folder of that name",
  ENOENT: "there is no such file or folder",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENAMETOOLONG: "the path is too long",
  ELOOP: "its symbolic links lead in a circle",
  EMFILE: "too many files are open",
};

/** An error of the file system as one that names the file and what to do; `undefined` for any other error. */
export function fileError(error: unknown): UsageError | undefined {
  const { code, path, syscall } = Object(error) as NodeJS.ErrnoException;
  const reason = fileReason(error);
  if (!(error instanceof Error) || typeof path !== "string" || syscall === "listen" || reason === undefined)
    return undefined;
  return new UsageError(
    `${shownPath(path)} cannot be used: ${reason}.`,
    "Check what it is and who owns it, or choose another place for it.",
    { code, path },
  );
}

/** The reason of such an error in words. */
export function fileReason(error: unknown): string | undefined {
  const { code = "" } = Object(error) as NodeJS.ErrnoException;
  return Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
}
