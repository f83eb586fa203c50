import { accessSync, constants, mkdirSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { messageOf } from "@tenterhook/protocol";
import { fileReason } from "./file-error.ts";
import { shownPath } from "./shown-hook.ts";
import { UsageError } from "./usage-error.ts";

export interface FolderLabels {
  /** What the folder is, as in "the data folder". */
  readonly what: string;
  /** How another one is chosen, as a sentence. */
  readonly remedy: string;
  readonly mode?: number;
}

/** The folder of what the command remembers: trust, the audit trail, conversations. */
export const STATE_FOLDER: FolderLabels = {
  what: "the state folder",
  remedy: "Set HOME or XDG_STATE_HOME to a place that you can write to.",
};

/** Makes a folder unless it exists, and checks that files can be made in it. Throws a `UsageError` that names what is in the way. */
export function makeWritableFolder(path: string, { what, remedy, mode = 0o700 }: FolderLabels): void {
  const folder = resolve(path);
  try {
    // Not with `recursive`: where a folder can never be made, below /proc for instance, Node would try for ever.
    for (const missing of missingFolders(folder)) makeFolder(missing, mode);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = "", path: culprit = folder } = error as NodeJS.ErrnoException;
    const where = culprit === folder ? "it" : shownPath(culprit);
    const reason = Object.hasOwn(REASONS, code)
      ? `${where} ${REASONS[code]}`
      : (fileReason(error) ?? messageOf(error));
    throw new UsageError(`${what} ${shownPath(folder)} cannot be written to: ${reason}.`, remedy, {
      code,
      path: folder,
    });
  }
}

/** Where it matters which part of the path is in the way. */
const REASONS: Readonly<Record<string, string>> = {
  ENOTDIR: "is a file, not a folder",
  ENOENT: "cannot be made",
};

/** The folders on the way that do not exist, the outermost first. */
function missingFolders(folder: string): readonly string[] {
  const missing: string[] = [];
  for (let each = folder; ; each = dirname(each)) {
    const stats = statsOf(each);
    if (stats?.isDirectory()) return missing;
    if (stats !== undefined) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR", path: each });
    missing.unshift(each);
  }
}

/** What is at a path; nothing also when the path leads through a file, which is found further up. */
function statsOf(path: string): Stats | undefined {
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
  } catch (error) {
    // Another process made it meanwhile.
    const isThere = statsOf(folder)?.isDirectory();
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !isThere) throw error;
  }
}
