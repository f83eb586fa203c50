import { basename } from "node:path";
import { findLocations } from "@tenterhook/file-hooks";
import { hookFileIn } from "@tenterhook/file-hooks/discover";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import { normalName } from "@tenterhook/protocol/internal";
import {
  folderOf,
  hookFoldersIn,
  hooksNamed,
  isHookFolder,
  type NamedFolder,
  unknownHook,
} from "./find-hooks.ts";

/** Arguments with the folders of the hooks here in the place of their names; all others are paths. */
export function withoutNames(args: readonly string[]): readonly string[] {
  const hooks = args.length === 0 ? [] : hooksHere();
  return args.flatMap((given) => {
    const found = hooksNamed(given, hooks).map(({ folder }) => folder);
    return found.length === 0 ? [given] : found;
  });
}

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
function foldersHere(): readonly string[] {
  const { userHooks, projectHooks = "" } = findLocations(process.cwd());
  return [userHooks, projectHooks].flatMap(hookFoldersIn);
}

function hooksHere(): readonly NamedFolder[] {
  return foldersHere().map((folder) => ({ folder, name: nameIn(folder) }));
}

/** The name of the hook in a folder; that of the folder where its HOOK.md cannot be used. */
export function nameIn(folder: string): string {
  return readHookFile(hookFileIn(folder)).hook?.name ?? normalName(basename(folder));
}

function foldersAt(path: string, mayBeEmpty: boolean): readonly string[] {
  const folder = folderOf(path);
  if (isHookFolder(folder)) return [folder];
  const inside = hookFoldersIn(folder);
  if (inside.length > 0 || mayBeEmpty) return inside;
  throw unknownHook(
    `no hook at ${path}.`,
    path,
    hooksHere(),
    "Use a hook's name, the folder of a HOOK.md, or a folder of such folders, for example .agents/hooks",
  );
}
