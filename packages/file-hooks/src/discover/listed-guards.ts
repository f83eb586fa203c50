import { join } from "node:path";
import { readPlainFile } from "@tenterhook/internal/files";

/**
 * The file of guards that must block when they cannot be asked. The hook script reads it when the bridge cannot run. One line each:
 * event, project (`*` for the user's own) and name, with tabs between them, so that a shell can read it. The first line is a comment, so that
 * a file that lost its content, as after a loss of power, does not read as a list without guards. Lists of older versions have none.
 */
export function guardsFile(state: string): string {
  return join(state, "bridge", "guards");
}

export interface ListedGuard {
  readonly event: string;
  readonly project: string;
  readonly name: string;
}

/** The guards that were known last; `undefined` when the list is missing or empty, and any guard may exist. */
export function readGuards(state: string): readonly ListedGuard[] | undefined {
  return readGuardLines(state)?.map((line) => {
    const [event = "", project = "", name = ""] = line.split("\t");
    return { event, project, name };
  });
}

/** Its lines, without comments. */
export function readGuardLines(state: string): readonly string[] | undefined {
  try {
    const all = readPlainFile(guardsFile(state))
      .split("\n")
      .filter((line) => /^(?:#|\w+\t)/.test(line));
    return all.length === 0 ? undefined : all.filter((line) => !line.startsWith("#"));
  } catch {
    return undefined;
  }
}
