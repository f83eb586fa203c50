import { accessSync, constants, mkdirSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { messageOf } from "@tenterhook/internal";
import { giveToParentOwner } from "@tenterhook/internal/files";
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
    // Not with `recursive`: where a folder cannot be created, for example below /proc, Node would never return.
    for (const missing of missingFolders(folder)) makeFolder(missing, mode);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = "", path: culprit = folder } = error as NodeJS.ErrnoException;
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

/** The missing folders of a path, outermost first. */
function missingFolders(folder: string): readonly string[] {
  const missing: string[] = [];
  for (let each = folder; ; each = dirname(each)) {
    const stats = readStats(each);
    if (stats?.isDirectory()) return missing;
    if (stats !== undefined) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR", path: each });
    missing.unshift(each);
  }
}

/** The stats of a path; `undefined` also when a part of the path is a file, which is detected later. */
function readStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

function makeFolder(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
    giveToParentOwner(folder);
  } catch (error) {
    // Another process may have created it.
    const exists = readStats(folder)?.isDirectory();
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !exists) throw error;
  }
}
