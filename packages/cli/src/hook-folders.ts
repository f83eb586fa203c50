import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { findLocations } from "@tenterhook/file-hooks";
import { UsageError } from "./usage-error.ts";

/**
 * The hook folders at some paths: each a hook's folder, its HOOK.md, or a folder of hooks. Without paths, all that concern
 * this folder. A path without hooks is a usage error, unless it may be empty.
 */
export function hookFolders(
  paths: readonly string[],
  mayBeEmpty: ReadonlySet<string> = new Set(),
): readonly string[] {
  const { userHooks, projectHooks = "" } = findLocations(process.cwd());
  const folders =
    paths.length === 0
      ? [userHooks, projectHooks].flatMap(hookFoldersIn)
      : paths.flatMap((path) => foldersAt(path, mayBeEmpty.has(path)));
  return [...new Set(folders)];
}

function foldersAt(path: string, mayBeEmpty: boolean): readonly string[] {
  const full = resolve(path);
  if (basename(full) === "HOOK.md" && isFile(full)) return [dirname(full)];
  if (isHookFolder(full)) return [full];
  const inside = hookFoldersIn(full);
  if (inside.length > 0 || mayBeEmpty) return inside;
  throw new UsageError(
    `there is no hook at ${path}.`,
    "Give the folder of a HOOK.md, or a folder of such folders, for example .agents/hooks",
  );
}

/** The hook folders of one place, by name. */
export function hookFoldersIn(place: string): readonly string[] {
  return namesIn(place)
    .sort()
    .map((name) => join(place, name))
    .filter(isHookFolder);
}

export function isHookFolder(folder: string): boolean {
  return isFile(join(folder, "HOOK.md"));
}

function namesIn(place: string): string[] {
  try {
    return readdirSync(place);
  } catch {
    return [];
  }
}

/** What cannot be looked at, for whatever reason, is no hook. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
