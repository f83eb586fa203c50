import { dirname } from "node:path";
import type { CataloguedHook } from "@tenterhook/file-hooks";
import { guardsFile, type ListedGuard, readGuardLines } from "@tenterhook/file-hooks/discover";
import { isInside, makeFolders, realPath, replacePlainFile, underLock } from "@tenterhook/internal/files";
import { mustBlock } from "./hook-set.ts";

/** A client waits meanwhile. Another process has the lock for a moment only. */
const LONGEST_WAIT_MS = 500;

const HEADER =
  "# Guards with on_error: block, written by tenterhook. An empty file counts as one that cannot be read.";

/** The guards among hooks that must block when they cannot be asked. */
export function findGuards(hooks: readonly CataloguedHook[]): readonly ListedGuard[] {
  return hooks.filter(mustBlock).flatMap(({ scope, folder, hook }) =>
    hook.events.map((event) => ({
      event,
      project: scope === "user" ? "*" : folder.replace(/[\\/]\.agents[\\/]hooks[\\/][^\\/]+$/, "") || "/",
      name: hook.name,
    })),
  );
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
  guards: readonly ListedGuard[],
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
  guards: readonly ListedGuard[],
): readonly string[] | undefined {
  const known = readGuardLines(state);
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

function oneWord(text: string): string {
  return text.replaceAll(/[\t\n]/g, " ");
}
