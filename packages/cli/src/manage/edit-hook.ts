import { basename } from "node:path";
import { loadClients } from "@tenterhook/bridges";
import { installedEnvironment } from "@tenterhook/bridges/install";
import { FileHooks, type HookScope } from "@tenterhook/file-hooks";
import { forgetKnownGuard, KnownGuards } from "@tenterhook/file-hooks/discover";
import { typedCommand } from "@tenterhook/internal";
import { normalName } from "@tenterhook/protocol/internal";
import { fileLocation } from "../clients/surroundings.ts";
import { hookFoldersIn, hooksNamed, type NamedFolder, onlyOne, unknownHook } from "../find-hooks.ts";
import { formatPath } from "../format-hook.ts";
import { requirePerson } from "../trust/require-person.ts";
import { UsageError } from "../usage-error.ts";
import { makeWritableFolder, STATE_FOLDER } from "../writable-folder.ts";

/** A hook that a person wants to change: one that exists, or one that is only known from before. */
export interface EditedHook extends NamedFolder {
  readonly scope: HookScope;
  /** Whether it exists, can be read, and is enforced. */
  readonly isEnforced: boolean;
  /** The events of a known guard that no longer has an effect there. */
  readonly goneAt: readonly string[];
}

/** Which of two hooks with one name is meant. */
export interface ScopeOptions {
  readonly user: boolean;
  readonly project: boolean;
}

const BOTH: ScopeOptions = { user: false, project: false };

/**
 * Finds the hooks that a person wants to change by their name, or by a folder of one of them. Throws a `UsageError` where no person asks,
 * when there is none, and when the state folder cannot be written to.
 */
export async function findHooks(
  given: string,
  { user, project }: ScopeOptions = BOTH,
): Promise<{ readonly source: FileHooks; readonly hooks: readonly EditedHook[] }> {
  await requirePerson("which guards apply");
  if (user && project)
    throw new UsageError("--user and --project exclude each other.", "Write one of them, or none.");
  const source = await installedHooks();
  const inScope = (await listHooks(source)).filter(({ scope }) => (scope === "user" ? !project : !user));
  const hooks = hooksNamed(given, inScope);
  if (hooks.length === 0)
    throw unknownHook(
      `there is no hook "${given}" here, and none is known from before.`,
      given,
      inScope,
      `Run ${typedCommand()} list --all to see the hooks. If coding agents were installed with other XDG variables, set them here too.`,
    );
  makeWritableFolder(source.locations.state, STATE_FOLDER);
  return { source, hooks };
}

/** The same for a change of a single hook. */
export async function findOneHook(
  given: string,
  options: ScopeOptions,
): Promise<{ readonly source: FileHooks; readonly hook: EditedHook }> {
  const { source, hooks } = await findHooks(given, options);
  const isInBoth = new Set(hooks.map(({ scope }) => scope)).size > 1;
  const hook = onlyOne(given, hooks, isInBoth ? "Use --user or --project, or a folder" : undefined);
  // There is at least one.
  return { source, hook: hook as EditedHook };
}

/** The hooks in the folders that coding agents use, also when this shell does not set the XDG variables of the installation. */
export async function installedHooks(): Promise<FileHooks> {
  const env = installedEnvironment(await loadClients(), process.cwd(), process.env, fileLocation());
  return new FileHooks({ env });
}

/** Confirms that a hook no longer guards: coding agents are not refused for it any more. */
export async function forgetGuard(
  { scope, folder, name }: Pick<EditedHook, "scope" | "folder" | "name">,
  { trust, locations }: FileHooks,
): Promise<void> {
  if (scope === "project") {
    trust.revoke(folder);
    return;
  }
  if (await forgetKnownGuard(locations.state, locations.userHooks, name)) return;
  throw new UsageError(
    `the list of known guards in ${formatPath(locations.state)} could not be written, so ${name} is not forgotten.`,
    "Make the folder writable, with space on its disk, then run this again.",
  );
}

async function listHooks(source: FileHooks): Promise<readonly EditedHook[]> {
  const { userHooks, projectHooks, state } = source.locations;
  const { hooks } = await source.catalogue();
  const goneAt = (name: string) =>
    hooks.flatMap(({ hook, gone }) => (gone?.command !== undefined && hook.name === name ? hook.events : []));
  const listed: EditedHook[] = hooks
    .filter(({ gone }) => gone === undefined)
    .map(({ hook: { name, enforce }, scope, folder }) => ({
      name,
      scope,
      folder,
      isEnforced: enforce !== false,
      goneAt: scope === "user" ? goneAt(name) : [],
    }));
  const addUnread = (name: string, scope: HookScope, folder: string, events: readonly string[]) =>
    void listed.push({ name, scope, folder, isEnforced: false, goneAt: events });
  // A guard that was given another name or folder is listed as it is now, too.
  for (const { name, folder } of new KnownGuards(state).read(userHooks).guards)
    if (!listed.some((each) => each.scope === "user" && each.name === name))
      addUnread(name, "user", folder, goneAt(name));
  // Those whose HOOK.md cannot be used have only the name of their folder.
  for (const root of new Set([userHooks, projectHooks ?? userHooks]))
    for (const folder of hookFoldersIn(root))
      if (!listed.some((each) => each.folder === folder))
        addUnread(normalName(basename(folder)), root === userHooks ? "user" : "project", folder, []);
  return listed;
}
