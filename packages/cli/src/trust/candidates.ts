import { basename, resolve } from "node:path";
import type { Locations } from "@tenterhook/file-hooks";
import { hookFileIn } from "@tenterhook/file-hooks/discover";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import { projectOfHook } from "@tenterhook/file-hooks/run";
import {
  TrustChecker,
  type TrustedHook,
  type TrustStatus,
  type TrustStore,
} from "@tenterhook/file-hooks/trust";
import { typedCommand } from "@tenterhook/internal";
import type { Finding } from "@tenterhook/protocol";
import {
  folderOf,
  hookFoldersIn,
  hooksNamed,
  isHookFolder,
  type NamedFolder,
  onlyOne,
  unknownHook,
} from "../find-hooks.ts";
import { nameIn } from "../hook-folders.ts";
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
    const found = onlyOne(given, hooksNamed(given, candidates));
    if (found !== undefined) return found;
    const folder = folderOf(given);
    if (isHookFolder(folder)) return candidateAt(requireProject(folder), store, new TrustChecker(store));
    throw unknownHook(
      `this project has no hook "${given}".`,
      given,
      candidates,
      `Run ${typedCommand()} list --all to see the hooks; your own need no trust.`,
    );
  });
}

/** The trusted hooks that no longer exist; what they guarded is refused until trust is revoked. */
export function gone({ cwd }: Locations, store: TrustStore): readonly TrustedHook[] {
  return store.covering(cwd).filter(({ folder }) => !isHookFolder(folder));
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
    name: hook?.name ?? nameIn(folder),
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

/** Revokes the trust of hooks by name or path, or of all hooks of a folder; returns the revoked paths. */
export function revoke(
  names: readonly string[],
  all: boolean,
  cwd: string,
  store: TrustStore,
): readonly string[] {
  const covering = store.covering(cwd).map(({ folder, hook }) => ({ folder, name: hook.name }));
  if (names.length === 0 && !all)
    throw new UsageError("missing hook.", "Name a hook or its folder, or use --all.");
  const folders = all
    ? covering.map(({ folder }) => folder)
    : names.map((name) => trustedPath(name, store, covering));
  for (const path of folders) {
    if (basename(path) === "hooks.toml") store.trustToml(path, undefined);
    else store.revoke(path);
  }
  return folders;
}

function trustedPath(given: string, store: TrustStore, covering: readonly NamedFolder[]): string {
  const found = onlyOne(given, hooksNamed(given, covering));
  if (found !== undefined) return found.folder;
  if (store.toml(resolve(given)) !== undefined) return resolve(given);
  const folder = folderOf(given);
  if (store.get(folder) !== undefined) return folder;
  throw unknownHook(
    `"${given}" is not trusted.`,
    given,
    covering,
    `Run ${typedCommand()} trust --list to see trusted hooks.`,
  );
}
