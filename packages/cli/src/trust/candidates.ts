import { basename, dirname, join, resolve } from "node:path";
import {
  type Locations,
  TrustChecker,
  type TrustedHook,
  type TrustStatus,
  type TrustStore,
} from "@tenterhook/file-hooks";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import type { Finding } from "@tenterhook/protocol";
import { nearestWord } from "@tenterhook/protocol";
import { hookFoldersIn, isHookFolder } from "../hook-folders.ts";
import { shownPath } from "../shown-hook.ts";
import { UsageError } from "../usage-error.ts";

/** A project's hook that could be trusted. */
export interface Candidate {
  readonly name: string;
  readonly folder: string;
  readonly standing: TrustStatus;
  /** What it was when it was trusted, if it ever was. */
  readonly before: TrustedHook | undefined;
  /** Why it cannot be used as it is. */
  readonly errors: readonly Finding[];
}

/** The hooks that concern a folder and are not trusted as they are now. */
export function untrusted(locations: Locations, store: TrustStore): readonly Candidate[] {
  return candidatesFor(locations, store).filter(({ standing }) => standing.type !== "trusted");
}

/** The hooks that somebody named, by name or by path. Throws a `UsageError` for one that is not there. */
export function named(
  words: readonly string[],
  locations: Locations,
  store: TrustStore,
): readonly Candidate[] {
  const candidates = candidatesFor(locations, store);
  return words.map((word) => {
    const byName = onlyOne(
      word,
      candidates.filter(({ name }) => name === word),
    );
    if (byName !== undefined) return byName;
    const folder = folderOf(word);
    if (isHookFolder(folder)) return candidateAt(requireProject(folder), store, new TrustChecker(store));
    const nearest = nearestWord(
      word,
      candidates.map(({ name }) => name),
    );
    throw new UsageError(
      `this project has no hook "${word}".`,
      nearest === undefined
        ? "Run tenterhook list --all to see the hooks; your own need no trust."
        : `Did you mean ${nearest}?`,
    );
  });
}

/** The trusted hooks that are no longer there; what they guarded is refused until somebody decides. */
export function gone({ cwd }: Locations, store: TrustStore): readonly TrustedHook[] {
  return store.covering(cwd).filter(({ folder }) => !isHookFolder(folder));
}

/** The hook of a name. Hooks of nested projects may share one: then it throws a `UsageError` that names their folders. */
export function onlyOne<T extends { readonly folder: string }>(
  name: string,
  hooks: readonly T[],
): T | undefined {
  if (hooks.length < 2) return hooks[0];
  const folders = hooks.map(({ folder }) => shownPath(folder)).join(", ");
  throw new UsageError(`${hooks.length} hooks here are called "${name}".`, `Name its folder: ${folders}`);
}

/** The folder that a path means: its own, or the one of a HOOK.md. */
export function folderOf(path: string): string {
  const full = resolve(path);
  return basename(full) === "HOOK.md" ? dirname(full) : full;
}

/** The project's hooks, and those of projects around it that are in force here. */
function candidatesFor({ cwd, projectHooks }: Locations, store: TrustStore): readonly Candidate[] {
  const checker = new TrustChecker(store);
  const here = projectHooks === undefined ? [] : hookFoldersIn(projectHooks);
  const inForce = store
    .covering(cwd)
    .map(({ folder }) => folder)
    .filter(isHookFolder);
  return [...new Set([...here, ...inForce])].map((folder) => candidateAt(folder, store, checker));
}

function candidateAt(folder: string, store: TrustStore, checker: TrustChecker): Candidate {
  const { hook, findings } = readHookFile(join(folder, "HOOK.md"));
  return {
    name: hook?.name ?? basename(folder),
    folder,
    standing: checker.statusOf(folder),
    before: store.get(folder),
    errors: findings.filter(({ severity }) => severity === "error"),
  };
}

/** Trust is kept for the hooks of a project, which is the folder that holds `.agents`. */
function requireProject(folder: string): string {
  const hooks = dirname(folder);
  if (basename(hooks) === "hooks" && basename(dirname(hooks)) === ".agents") return folder;
  throw new UsageError(
    `${folder} does not belong to a project.`,
    "Only hooks in a project's .agents/hooks are trusted; your own need no trust.",
  );
}
