import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { findLocations } from "@tenterhook/file-hooks";
import { hookFileIn, isHookFilePath } from "@tenterhook/file-hooks/discover";
import { didYouMean, typedCommand } from "@tenterhook/internal";
import { UsageError } from "./usage-error.ts";

/** Printed where there is nothing to list, check or test. */
export const NO_HOOKS = `No hooks here. Write one: ${typedCommand()} init my-hook --trigger before_tool --tool Shell`;

/**
 * The hook folders at some paths: each is a hook's folder, its HOOK.md, or a folder of hooks. Without paths, all hooks of the
 * current folder. A path without hooks is a usage error, unless it may be empty.
 */
export function hookFolders(
  paths: readonly string[],
  mayBeEmpty: ReadonlySet<string> = new Set(),
): readonly string[] {
  const folders =
    paths.length === 0 ? foldersHere() : paths.flatMap((path) => foldersAt(path, mayBeEmpty.has(path)));
  return [...new Set(folders)];
}

/** The folders of the hooks of this folder. */
export function foldersHere(): readonly string[] {
  const { userHooks, projectHooks = "" } = findLocations(process.cwd());
  return [userHooks, projectHooks].flatMap(hookFoldersIn);
}

function foldersAt(path: string, mayBeEmpty: boolean): readonly string[] {
  const full = resolve(path);
  if (isHookFilePath(full) && isFile(full)) return [dirname(full)];
  if (isHookFolder(full)) return [full];
  const inside = hookFoldersIn(full);
  if (inside.length > 0 || mayBeEmpty) return inside;
  throw new UsageError(
    `no hook at ${path}.`,
    didYouMean(
      path,
      foldersHere().map((folder) => basename(folder)),
      "Use a hook's name, the folder of a HOOK.md, or a folder of such folders, for example .agents/hooks",
    ),
  );
}

/** The hook folders of a hooks root, by name. */
export function hookFoldersIn(root: string): readonly string[] {
  return namesIn(root)
    .sort()
    .map((name) => join(root, name))
    .filter(isHookFolder);
}

export function isHookFolder(folder: string): boolean {
  return isFile(hookFileIn(folder));
}

/** The names in a folder; none when it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A path that cannot be read is not a hook. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
