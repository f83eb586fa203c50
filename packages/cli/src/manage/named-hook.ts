import { basename, dirname } from "node:path";
import type { FileHooks, HookScope } from "@tenterhook/file-hooks";
import { KnownGuards } from "@tenterhook/file-hooks/discover";
import { didYouMean, typedCommand } from "@tenterhook/internal";
import { normalName } from "@tenterhook/protocol/internal";
import { formatPath } from "../format-hook.ts";
import { hookFoldersIn } from "../hook-folders.ts";
import { folderOf } from "../trust/candidates.ts";
import { UsageError } from "../usage-error.ts";

/** A hook that a person names: one that exists, or one that is only known from before. */
export interface NamedHook {
  readonly name: string;
  readonly scope: HookScope;
  readonly folder: string;
  /** The events of a known guard that no longer has an effect there. */
  readonly goneAt: readonly string[];
}

export interface ScopeOptions {
  readonly user: boolean;
  readonly project: boolean;
}

/** Finds a hook by its name or folder. Throws a `UsageError` when there is none, or more than one. */
export async function findNamedHook(
  given: string,
  source: FileHooks,
  { user, project }: ScopeOptions,
): Promise<NamedHook> {
  if (user && project)
    throw new UsageError("--user and --project exclude each other.", "Write one of them, or none.");
  const all = await namedHooks(source);
  const inScope = all.filter(({ scope }) => (scope === "user" ? !project : !user));
  const path = folderOf(given);
  const byName = inScope.filter(({ name }) => name === normalName(given));
  const found = byName.length > 0 ? byName : inScope.filter(({ folder }) => folder === path);
  const [hook, ...others] = found;
  if (hook === undefined)
    throw new UsageError(
      `there is no hook "${given}" here, and none is known from before.`,
      didYouMean(
        given,
        inScope.map(({ name }) => name),
        `Run ${typedCommand()} list --all to see the hooks. If coding agents were installed with other XDG variables, set them here too.`,
      ),
    );
  if (others.length === 0) return hook;
  const folders = found.map(({ folder }) => formatPath(folder)).join(", ");
  const remedy =
    new Set(found.map(({ scope }) => scope)).size > 1
      ? "Use --user or --project, or a folder"
      : "Use a folder";
  throw new UsageError(`${found.length} hooks are named "${given}".`, `${remedy}: ${folders}`);
}

async function namedHooks(source: FileHooks): Promise<readonly NamedHook[]> {
  const { userHooks, projectHooks, state } = source.locations;
  const { hooks } = await source.catalogue();
  const named = new Map<string, NamedHook>();
  const add = (hook: NamedHook) => void (named.has(formatKey(hook)) || named.set(formatKey(hook), hook));
  for (const { hook, scope, folder, gone } of hooks)
    if (gone === undefined) add({ name: hook.name, scope, folder, goneAt: goneAt(hook.name, scope, hooks) });
  // A guard that was given another name or folder is listed as it is now, too.
  for (const { name, folder } of new KnownGuards(state).read(userHooks).guards)
    if (![...named.values()].some((each) => each.scope === "user" && each.name === name))
      add({ name, scope: "user", folder, goneAt: goneAt(name, "user", hooks) });
  // Those whose HOOK.md cannot be used have only the name of their folder.
  for (const root of [userHooks, projectHooks ?? userHooks])
    for (const folder of hookFoldersIn(root)) {
      const scope = root === userHooks ? "user" : "project";
      if (![...named.values()].some((each) => each.folder === folder))
        add({ name: normalName(basename(folder)), scope, folder, goneAt: [] });
    }
  return [...named.values()];
}

function goneAt(
  name: string,
  scope: HookScope,
  hooks: Awaited<ReturnType<FileHooks["catalogue"]>>["hooks"],
): readonly string[] {
  if (scope !== "user") return [];
  return hooks.flatMap(({ hook, gone }) =>
    gone?.command !== undefined && hook.name === name ? hook.events : [],
  );
}

function formatKey({ name, folder }: NamedHook): string {
  return JSON.stringify([name, dirname(folder), basename(folder)]);
}
