import { formatPath } from "./format-hook.ts";
import { UsageError } from "./usage-error.ts";

/** Descriptions of file system errors. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOTDIR: "a part of the path is a file, not a folder",
  EEXIST: "a file of that name exists",
  EISDIR: "a folder of that name exists",
  ENOENT: "no such file or folder",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENAMETOOLONG: "the path is too long",
  ELOOP: "its symbolic links form a cycle",
  EMFILE: "too many files are open",
};

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: "Free space on its disk, and run it again.",
  EDQUOT: "Free space on its disk, and run it again.",
};

/** A file system error as a `UsageError` with file and advice; `undefined` for other errors. */
export function fileError(error: unknown): UsageError | undefined {
  const { code, path, syscall } = Object(error) as NodeJS.ErrnoException;
  const reason = fileReason(error);
  if (!(error instanceof Error) || typeof path !== "string" || syscall === "listen" || reason === undefined)
    return undefined;
  return new UsageError(
    `${formatPath(path)} cannot be used: ${reason}.`,
    HINTS[code ?? ""] ?? "Check its type and its owner, or choose another path.",
    { code, path },
  );
}

/** The description of a file system error. */
export function fileReason(error: unknown): string | undefined {
  const { code = "" } = Object(error) as NodeJS.ErrnoException;
  return Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
}
