import { readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { hookFileIn, isHookFilePath } from "@tenterhook/file-hooks/discover";
import { didYouMean, typedCommand } from "@tenterhook/internal";
import { normalName } from "@tenterhook/protocol/internal";
import { formatPath } from "./format-hook.ts";
import { UsageError } from "./usage-error.ts";

/** Printed where there is nothing to list, check or test. */
export const NO_HOOKS = `No hooks here. Write one: ${typedCommand()} init my-hook --trigger before_tool --tool Shell`;

/** A hook as a person names it. */
export interface NamedFolder {
  readonly name: string;
  readonly folder: string;
}

/** The hooks that a person means: those with a name, else the one in a folder or with a HOOK.md. */
export function hooksNamed<H extends NamedFolder>(given: string, hooks: readonly H[]): readonly H[] {
  const named = hooks.filter(({ name }) => name === normalName(given));
  return named.length > 0 ? named : hooks.filter(({ folder }) => folder === folderOf(given));
}

/** The only one of the hooks that a person means. Throws a `UsageError` with the folders of several. */
export function onlyOne<H extends NamedFolder>(
  given: string,
  found: readonly H[],
  remedy = "Use a folder",
): H | undefined {
  if (found.length < 2) return found[0];
  const folders = found.map(({ folder }) => formatPath(folder)).join(", ");
  throw new UsageError(`${found.length} hooks are named "${given}".`, `${remedy}: ${folders}`);
}

/** The error for a name or a path that means none of some hooks. */
export function unknownHook(
  message: string,
  given: string,
  hooks: readonly Pick<NamedFolder, "name">[],
  hint: string,
): UsageError {
  return new UsageError(
    message,
    didYouMean(
      given,
      hooks.map(({ name }) => name),
      hint,
    ),
  );
}

/** The folder of a path: itself, or the folder of a hook's file. */
export function folderOf(path: string): string {
  const full = resolve(path);
  return isHookFilePath(full) ? dirname(full) : full;
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
