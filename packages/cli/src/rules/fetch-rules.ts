import { mkdtempSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { formatFinding } from "@tenterhook/file-hooks";
import { hookFileIn } from "@tenterhook/file-hooks/discover";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import { didYouMean } from "@tenterhook/internal";
import { isFolder, isInside, makeFolders, removeUnused } from "@tenterhook/internal/files";
import type { HookFile } from "@tenterhook/protocol";
import { GROUPS, type Group, type Rule, readRules } from "@tenterhook/rules";
import { version } from "../clients/surroundings.ts";
import { folderOf, hookFoldersIn, isHookFolder } from "../find-hooks.ts";
import { newHookName } from "../new-hook-name.ts";
import { UsageError } from "../usage-error.ts";
import { fetchRepository, isAddress } from "./git-source.ts";
import type { LockedRule } from "./hooks-lock.ts";
import { asObserved, type RuleFile, readRuleFiles, writeRuleFiles } from "./rule-files.ts";

/** The ready-made rules in the bundle: one folder for each. */
const BUNDLED = fileURLToPath(new URL("./rules/", import.meta.url));

/** The source of a ready-made rule in hooks.lock. */
export const OWN_SOURCE = "tenterhook";

/** What the groups are about. */
export const GROUP_TITLES: Readonly<Record<Group, string>> = {
  safety: "deleting, overwriting, devices, foreign code, lost work",
  secrets: "keys, tokens, .env files: reading and sending them",
  self: "the agent's own hooks, settings and guards",
  team: "asks about main branch, publishing, CI, lock files",
  cloud: "clusters, clouds, databases, secret stores, backups",
};

/** The ready-made rules of this version, by group. */
export function bundledRules(): readonly Rule[] {
  return readRules(BUNDLED);
}

/** A rule as it was fetched: a copy in the state folder, so that what a person reads is what is written. */
export interface FetchedRule {
  readonly name: string;
  readonly folder: string;
  readonly files: readonly RuleFile[];
  readonly hook: HookFile;
  readonly lock: LockedRule;
}

/** A new folder for what is fetched. What a process that was killed has left is removed later. */
export function fetchFolder(state: string): string {
  const parent = join(state, "rules");
  makeFolders(parent);
  removeUnused(parent);
  return mkdtempSync(join(parent, "fetched-"));
}

/**
 * Fetches what a person has named into a folder: a group or a rule of this version, an address, or a folder. Throws a `UsageError` when
 * any of it cannot be used.
 */
export function fetchRules(
  given: string,
  into: string,
  { project, observe = false }: { readonly project: string | undefined; readonly observe?: boolean },
): readonly FetchedRule[] {
  const bundled = bundledRules();
  const own = bundled.filter(({ name, group }) => name === given || group === given);
  const staged = new Staging(into, observe);
  if (own.length > 0) {
    const source = { source: OWN_SOURCE, commit: version() };
    return own.map(({ folder, name }) => staged.add(readRuleFiles(folder), source, name));
  }
  if (isAddress(given)) {
    const { commit, rules } = fetchRepository(given, join(into, "git"));
    if (rules.length === 0) throw new UsageError(`there is no HOOK.md in ${given}.`, "Nothing was changed.");
    return rules.map((files) => staged.add(files, { source: given, commit }, given));
  }
  return foldersOf(given, bundled).map((folder) =>
    staged.add(readRuleFiles(folder), { source: sourceOf(folder, project) }, folder),
  );
}

/** Fetches once more what rules of hooks.lock came from. */
export function fetchAgain(
  rules: readonly (readonly [name: string, rule: LockedRule])[],
  into: string,
  project: string | undefined,
): readonly FetchedRule[] {
  const keyOf = ({ source, observe }: LockedRule) => JSON.stringify([source, observe === true]);
  const keys = new Set(rules.map(([, rule]) => keyOf(rule)));
  return [...keys].flatMap((key) => {
    const [source, observe] = JSON.parse(key) as [string, boolean];
    const names = new Set(rules.filter(([, rule]) => keyOf(rule) === key).map(([name]) => name));
    const folder = mkdtempSync(join(into, "source-"));
    const options = { project, observe };
    if (source !== OWN_SOURCE)
      return fetchRules(isAddress(source) ? source : resolve(project ?? "/", source), folder, options).filter(
        ({ name }) => names.has(name),
      );
    return bundledRules().flatMap(({ name }) => (names.has(name) ? fetchRules(name, folder, options) : []));
  });
}

/** Puts rules into folders that are named after them. */
class Staging {
  readonly #into: string;
  readonly #isObserved: boolean;
  readonly #names = new Set<string>();

  constructor(into: string, isObserved: boolean) {
    makeFolders(into);
    this.#into = into;
    this.#isObserved = isObserved;
  }

  add(all: readonly RuleFile[], source: Pick<LockedRule, "source" | "commit">, about: string): FetchedRule {
    const files = this.#isObserved ? asObserved(all) : all;
    const draft = mkdtempSync(join(this.#into, "rule-"));
    const folder = join(draft, "files");
    const hash = writeRuleFiles(folder, files);
    const { hook, findings } = readHookFile(hookFileIn(folder));
    const error = findings.find(({ severity }) => severity === "error");
    if (hook === undefined || error !== undefined)
      throw new UsageError(
        `${about} has a rule that cannot be used: ${error === undefined ? "its HOOK.md cannot be read" : formatFinding({ ...error, file: "HOOK.md" })}`,
        "Nothing was changed.",
      );
    const name = newHookName(hook.name);
    if (this.#names.has(name)) throw new UsageError(`${about} has two rules that are named ${name}.`);
    this.#names.add(name);
    if (this.#isObserved && hook.enforce !== false)
      throw new UsageError(
        `${name} cannot be observed only: \`enforce: false\` cannot be written into its HOOK.md.`,
        "Write it into its frontmatter, and add it without --observe.",
      );
    const group = groupOf(hook);
    const lock = {
      ...source,
      ...(group !== undefined && { group }),
      ...(this.#isObserved && { observe: true as const }),
      hash,
    };
    return { name, folder, files, hook, lock };
  }
}

function groupOf({ metadata: { group } }: HookFile): string | undefined {
  return typeof group === "string" && /^[\p{L}\p{N}-]{1,64}$/u.test(group) ? group : undefined;
}

function foldersOf(given: string, bundled: readonly Rule[]): readonly string[] {
  const folder = folderOf(given);
  const folders = isHookFolder(folder) ? [folder] : hookFoldersIn(folder);
  if (folders.length > 0) return folders;
  if (isFolder(folder))
    throw new UsageError(`there is no HOOK.md in ${given}, nor in a folder of it.`, "Nothing was changed.");
  const names = [...GROUPS, ...bundled.map(({ name }) => name)];
  throw new UsageError(
    `"${given}" is no rule, no group, no folder and no address.`,
    didYouMean(given, names, `Groups: ${GROUPS.join(", ")}. Run: tenterhook rules`),
  );
}

/** Another person has the project elsewhere. */
function sourceOf(folder: string, project: string | undefined): string {
  return project !== undefined && isInside(folder, project) ? relative(project, folder) || "." : folder;
}
