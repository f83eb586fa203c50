import { join } from "node:path";
import { type CataloguedHook, readPlainFile, replacePlainFile } from "@tenterhook/file-hooks";
import { mustBlock } from "./hook-set.ts";

/**
 * The file of guards that must block when they cannot be asked. The hook script reads it when the bridge cannot run. One line each:
 * event, project (`*` for the user's own) and name, with tabs between them, so that a shell can read it.
 */
export function guardsFile(state: string): string {
  return join(state, "bridge", "guards");
}

export interface Guard {
  readonly event: string;
  readonly project: string;
  readonly name: string;
}

/** The guards among hooks that must block when they cannot be asked. */
export function guardsOf(hooks: readonly CataloguedHook[]): readonly Guard[] {
  return hooks.filter(mustBlock).flatMap(({ scope, folder, hook }) =>
    hook.events.map((event) => ({
      event,
      project: scope === "user" ? "*" : folder.replace(/[\\/]\.agents[\\/]hooks[\\/][^\\/]+$/, ""),
      name: hook.name,
    })),
  );
}

/** The guards that were known last; `undefined` when the list is missing, and any guard may exist. */
export function readGuards(state: string): readonly Guard[] | undefined {
  return lines(state)?.map((line) => {
    const [event = "", project = "", name = ""] = line.split("\t");
    return { event, project, name };
  });
}

/** Keeps the lines of some projects, and of the user, up to date. It never throws: the next bridge tries again. */
export function updateGuards(state: string, projects: readonly string[], guards: readonly Guard[]): void {
  const known = lines(state);
  const before = known ?? [];
  const concerns = new Set([...projects, ...guards.map(({ project }) => project), "*"]);
  const kept = before.filter((line) => !concerns.has(line.split("\t")[1] ?? ""));
  const now = [
    ...kept,
    ...guards.map(({ event, project, name }) => [event, project, name].map(oneWord).join("\t")),
  ].sort();
  // An empty list is written too: it means that there are none.
  if (known !== undefined && now.join("\n") === [...before].sort().join("\n")) return;
  try {
    replacePlainFile(guardsFile(state), now.map((line) => `${line}\n`).join(""));
  } catch {
    // The home may be read-only.
  }
}

function lines(state: string): readonly string[] | undefined {
  try {
    return readPlainFile(guardsFile(state)).split("\n").filter(Boolean);
  } catch {
    return undefined;
  }
}

function oneWord(text: string): string {
  return text.replaceAll(/[\t\n]/g, " ");
}
