import { dirname, join } from "node:path";
import type { CataloguedHook } from "@tenterhook/file-hooks";
import {
  isInside,
  makeFolders,
  readPlainFile,
  realPath,
  replacePlainFile,
  underLock,
} from "@tenterhook/internal/files";
import { mustBlock } from "./hook-set.ts";

/** A client waits meanwhile. Another process has the lock for a moment only. */
const LONGEST_WAIT_MS = 500;

/**
 * The file of guards that must block when they cannot be asked. The hook script reads it when the bridge cannot run. One line each:
 * event, project (`*` for the user's own) and name, with tabs between them, so that a shell can read it. The first line is a comment, so that
 * a file that lost its content, as after a loss of power, does not read as a list without guards. Lists of older versions have none.
 */
export function guardsFile(state: string): string {
  return join(state, "bridge", "guards");
}

const HEADER =
  "# Guards with on_error: block, written by tenterhook. An empty file counts as one that cannot be read.";

export interface Guard {
  readonly event: string;
  readonly project: string;
  readonly name: string;
}

/** The guards among hooks that must block when they cannot be asked. */
export function findGuards(hooks: readonly CataloguedHook[]): readonly Guard[] {
  return hooks.filter(mustBlock).flatMap(({ scope, folder, hook }) =>
    hook.events.map((event) => ({
      event,
      project: scope === "user" ? "*" : folder.replace(/[\\/]\.agents[\\/]hooks[\\/][^\\/]+$/, "") || "/",
      name: hook.name,
    })),
  );
}

/** The guards that were known last; `undefined` when the list is missing or empty, and any guard may exist. */
export function readGuards(state: string): readonly Guard[] | undefined {
  return lines(state)?.map((line) => {
    const [event = "", project = "", name = ""] = line.split("\t");
    return { event, project, name };
  });
}

/** Whether a guard of a project, or of the user, is for a folder. */
export function concerns(project: string, folder: string): boolean {
  return project === "*" || isInside(folder, project) || isInside(realPath(folder), project);
}

/**
 * Keeps the lines of some projects, and of the user, up to date. It never throws; false when they could not be stored, so that the next
 * bridge must try again.
 */
export async function updateGuards(
  state: string,
  projects: readonly string[],
  guards: readonly Guard[],
): Promise<boolean> {
  if (changedLines(state, projects, guards) === undefined) return true;
  const path = guardsFile(state);
  try {
    makeFolders(dirname(path));
    // A bridge of another project would write back what it has read, without the lines of this one.
    await underLock(
      `${path}.lock`,
      () => {
        const now = changedLines(state, projects, guards);
        if (now !== undefined) replacePlainFile(path, [HEADER, ...now, ""].join("\n"));
      },
      LONGEST_WAIT_MS,
    );
    return true;
  } catch {
    // The home may be read-only.
    return false;
  }
}

/** All lines as they must be; `undefined` when they are so already. */
function changedLines(
  state: string,
  projects: readonly string[],
  guards: readonly Guard[],
): readonly string[] | undefined {
  const known = lines(state);
  const before = known ?? [];
  const concerns = new Set([...projects, ...guards.map(({ project }) => project), "*"]);
  const kept = before.filter((line) => !concerns.has(line.split("\t")[1] ?? ""));
  const now = [
    ...kept,
    ...guards.map(({ event, project, name }) => [event, project, name].map(oneWord).join("\t")),
  ].sort();
  // A list without guards is written too: it means that there are none.
  return known !== undefined && now.join("\n") === [...before].sort().join("\n") ? undefined : now;
}

function lines(state: string): readonly string[] | undefined {
  try {
    const all = readPlainFile(guardsFile(state))
      .split("\n")
      .filter((line) => /^(?:#|\w+\t)/.test(line));
    return all.length === 0 ? undefined : all.filter((line) => !line.startsWith("#"));
  } catch {
    return undefined;
  }
}

function oneWord(text: string): string {
  return text.replaceAll(/[\t\n]/g, " ");
}
