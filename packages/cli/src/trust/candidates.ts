import { basename, dirname, resolve } from "node:path";
import type { Locations } from "@tenterhook/file-hooks";
import { hookFileIn, isHookFilePath } from "@tenterhook/file-hooks/discover";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import { projectOfHook } from "@tenterhook/file-hooks/run";
import {
  TrustChecker,
  type TrustedHook,
  type TrustStatus,
  type TrustStore,
} from "@tenterhook/file-hooks/trust";
import { didYouMean, typedCommand } from "@tenterhook/internal";
import type { Finding } from "@tenterhook/protocol";
import { normalName } from "@tenterhook/protocol/internal";
import { formatPath } from "../format-hook.ts";
import { hookFoldersIn, isHookFolder } from "../hook-folders.ts";
import { UsageError } from "../usage-error.ts";

/** A project's hook that could be trusted. */
export interface Candidate {
  readonly name: string;
  readonly folder: string;
  readonly status: TrustStatus;
  /** The version that was trusted, if any. */
  readonly before: TrustedHook | undefined;
  /** Errors that prevent its use. */
  readonly errors: readonly Finding[];
}

/** The hooks of a folder that are not trusted in their current version. */
export function untrusted(locations: Locations, store: TrustStore): readonly Candidate[] {
  return candidatesFor(locations, store).filter(({ status }) => status.type !== "trusted");
}

/** The hooks with given names or paths. Throws a `UsageError` for an unknown one. */
export function named(
  names: readonly string[],
  locations: Locations,
  store: TrustStore,
): readonly Candidate[] {
  const candidates = candidatesFor(locations, store);
  return names.map((given) => {
    const byName = onlyOne(
      given,
      candidates.filter(({ name }) => name === normalName(given)),
    );
    if (byName !== undefined) return byName;
    const folder = folderOf(given);
    if (isHookFolder(folder)) return candidateAt(requireProject(folder), store, new TrustChecker(store));
    const names = candidates.map(({ name }) => name);
    throw new UsageError(
      `this project has no hook "${given}".`,
      didYouMean(given, names, `Run ${typedCommand()} list --all to see the hooks; your own need no trust.`),
    );
  });
}

/** The trusted hooks that no longer exist; what they guarded is refused until trust is revoked. */
export function gone({ cwd }: Locations, store: TrustStore): readonly TrustedHook[] {
  return store.covering(cwd).filter(({ folder }) => !isHookFolder(folder));
}

/** The hook with a name. Throws a `UsageError` with the folders if hooks of nested projects share the name. */
export function onlyOne<T extends { readonly folder: string }>(
  name: string,
  hooks: readonly T[],
): T | undefined {
  if (hooks.length < 2) return hooks[0];
  const folders = hooks.map(({ folder }) => formatPath(folder)).join(", ");
  throw new UsageError(`${hooks.length} hooks are named "${name}".`, `Use a folder: ${folders}`);
}

/** The folder of a path: itself, or the folder of a hook's file. */
export function folderOf(path: string): string {
  const full = resolve(path);
  return isHookFilePath(full) ? dirname(full) : full;
}

/** The project's hooks, and those of enclosing projects that apply here. */
function candidatesFor({ cwd, projectHooks }: Locations, store: TrustStore): readonly Candidate[] {
  const checker = new TrustChecker(store);
  const own = projectHooks === undefined ? [] : hookFoldersIn(projectHooks);
  const inherited = store
    .covering(cwd)
    .map(({ folder }) => folder)
    .filter(isHookFolder);
  return [...new Set([...own, ...inherited])].map((folder) => candidateAt(folder, store, checker));
}

function candidateAt(folder: string, store: TrustStore, checker: TrustChecker): Candidate {
  const { hook, findings } = readHookFile(hookFileIn(folder));
  return {
    name: hook?.name ?? normalName(basename(folder)),
    folder,
    status: checker.statusOf(folder),
    before: store.get(folder),
    errors: findings.filter(({ severity }) => severity === "error"),
  };
}

/** Trust is stored for hooks of a project, which is the folder that contains `.agents`. */
function requireProject(folder: string): string {
  if (projectOfHook(folder) !== undefined) return folder;
  throw new UsageError(
    `${folder} does not belong to a project.`,
    "Only hooks in a project's .agents/hooks are trusted; your own need no trust.",
  );
}
