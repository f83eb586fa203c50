import { accessSync, constants, existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { messageOf } from "@tenterhook/internal";
import { isFolder, makeFolders } from "@tenterhook/internal/files";
import { fileReason } from "./file-error.ts";
import { formatPath } from "./format-hook.ts";
import { UsageError } from "./usage-error.ts";

export interface FolderLabels {
  /** What the folder is, as in "the data folder". */
  readonly what: string;
  /** How to choose another folder, as a sentence. */
  readonly remedy: string;
  readonly mode?: number;
}

/** The folder of trust data, the audit trail and conversations. */
export const STATE_FOLDER: FolderLabels = {
  what: "the state folder",
  remedy: "Set HOME or XDG_STATE_HOME to a writable folder.",
};

/** Creates a folder unless it exists, and checks that it is writable. Throws a `UsageError` that names the obstacle. */
export function makeWritableFolder(path: string, { what, remedy, mode = 0o700 }: FolderLabels): void {
  const folder = resolve(path);
  try {
    makeFolders(folder, mode);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const file = fileOnTheWay(folder);
    const { code = "", path: culprit = folder }: NodeJS.ErrnoException =
      file === undefined ? (error as Error) : { ...(error as Error), code: "ENOTDIR", path: file };
    const where = culprit === folder ? "it" : formatPath(culprit);
    const reason = Object.hasOwn(REASONS, code)
      ? `${where} ${REASONS[code]}`
      : (fileReason(error) ?? messageOf(error));
    throw new UsageError(`${what} ${formatPath(folder)} cannot be written to: ${reason}.`, remedy, {
      code,
      path: folder,
    });
  }
}

/** Errors that concern a part of the path. */
const REASONS: Readonly<Record<string, string>> = {
  ENOTDIR: "is a file, not a folder",
  ENOENT: "cannot be created",
};

/** The file that is in the place of a folder of a path. */
function fileOnTheWay(folder: string): string | undefined {
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  return isFolder(existing) ? undefined : existing;
}
