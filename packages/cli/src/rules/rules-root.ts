import { existsSync, lstatSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { makeForHomeOwner } from "@tenterhook/bridges/install";
import type { FileHooks } from "@tenterhook/file-hooks";
import { hookFileIn } from "@tenterhook/file-hooks/discover";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import { hashFolder } from "@tenterhook/file-hooks/trust";
import { messageOf } from "@tenterhook/internal";
import { underLock } from "@tenterhook/internal/files";
import { hookFoldersIn } from "../find-hooks.ts";
import { nameIn } from "../hook-folders.ts";
import { forgetGuard } from "../manage/edit-hook.ts";
import { UsageError } from "../usage-error.ts";
import { makeWritableFolder } from "../writable-folder.ts";
import type { FetchedRule } from "./fetch-rules.ts";
import { formatLock, type HooksLock, type LockedRule, lockFile, readLock } from "./hooks-lock.ts";
import { writeNewFile, writeRuleFiles } from "./rule-files.ts";

/** The hooks folder that rules are written to: the user's, or a project's. */
export interface RulesRoot {
  readonly scope: "user" | "project";
  readonly path: string;
  /** Of a project: its folder. */
  readonly project: string | undefined;
  readonly source: FileHooks;
}

/** The user's hooks folder, or that of the project of this folder, which need not exist yet. */
export function rulesRoot(source: FileHooks, scope: RulesRoot["scope"]): RulesRoot {
  const { userHooks, project = process.cwd() } = source.locations;
  return scope === "user"
    ? { scope, path: userHooks, project: undefined, source }
    : { scope, path: join(project, ".agents", "hooks"), project, source };
}

/** What is to be done about a rule that was fetched. */
export interface RulePlan {
  readonly rule: FetchedRule;
  /**
   * `edited`: it is not as it was installed, or was not installed from there, so it is kept. `taken`: another folder has its name.
   */
  readonly change: "new" | "update" | "same" | "edited" | "taken";
  readonly target: string;
  /** What is there now, when it was looked at. */
  readonly hash: string | undefined;
}

export function planRules(root: RulesRoot, rules: readonly FetchedRule[]): readonly RulePlan[] {
  const lock = readLock(root.path);
  const folders = new Map(hookFoldersIn(root.path).map((folder) => [nameIn(folder), folder]));
  return rules.map((rule) => {
    const target = join(root.path, rule.name);
    const hash = folderHash(target);
    const named = folders.get(rule.name) ?? target;
    return { rule, target, hash, change: named === target ? changeOf(rule, hash, lock) : "taken" };
  });
}

function changeOf({ name, lock: now }: FetchedRule, hash: string | undefined, lock: HooksLock) {
  if (hash === undefined) return "new";
  if (hash === now.hash) return "same";
  const known = lock.get(name);
  return known?.hash === hash && known.source === now.source ? "update" : "edited";
}

/** The hash of a folder; `undefined` when there is none, and a text that equals no other when it cannot be read as one. */
export function folderHash(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  try {
    return hashFolder(folder);
  } catch (error) {
    return `unreadable: ${messageOf(error)}`;
  }
}

/** The folder beside a hooks root for what is about to be moved there or away. Its hooks are in no hooks root, so they do not run. */
const DRAFTS = ".hooks-being-written";

/**
 * Writes rules and hooks.lock: first into a folder beside the hooks, then each is renamed. What fails before leaves everything as it was;
 * what was cut off in between is completed or taken back by the next one. A rule that was changed since the plan was made is left out.
 * Returns the names of those that were left out.
 */
export async function writeRules(root: RulesRoot, plans: readonly RulePlan[]): Promise<readonly string[]> {
  const left: string[] = [];
  await changeRoot(root, (drafts, lock) => {
    const now = new Map(lock);
    const moves: Move[] = [];
    for (const { rule, change, target, hash } of plans) {
      if (change === "edited" || change === "taken") continue;
      if (folderHash(target) !== hash) {
        left.push(rule.name);
        continue;
      }
      now.set(rule.name, rule.lock);
      if (change === "same") continue;
      const draft = join(drafts, "new", rule.name);
      if (writeRuleFiles(draft, rule.files) !== rule.lock.hash)
        throw new UsageError(
          `${rule.name} was changed while it was written.`,
          "Nothing was changed. Run it again.",
        );
      if (change === "update") moves.push([target, join(drafts, "old", rule.name)]);
      moves.push([draft, target]);
    }
    return { lock: now, moves };
  });
  for (const { rule, change, target } of plans) {
    if (left.includes(rule.name)) continue;
    // What it guarded before may be less now, as a person has agreed. The next call knows it as it is.
    if (change === "update" && root.scope === "user")
      await forgetGuard({ scope: "user", folder: target, name: rule.name }, root.source);
    if ((change === "update" || change === "new") && root.scope === "project")
      root.source.trust.trust(target, rule.hook, { expected: rule.lock.hash });
  }
  return left;
}

/** Removes rules and their entries in hooks.lock, and confirms that they no longer guard. */
export async function removeRules(root: RulesRoot, names: readonly string[]): Promise<void> {
  await changeRoot(root, (drafts, lock) => ({
    lock: new Map([...lock].filter(([name]) => !names.includes(name))),
    moves: names
      .filter((name) => existsSync(join(root.path, name)))
      .map((name) => [join(root.path, name), join(drafts, "old", name)]),
  }));
  for (const name of names)
    await forgetGuard({ scope: root.scope, folder: join(root.path, name), name }, root.source);
}

/** From where to where a folder is renamed. */
type Move = readonly [from: string, to: string];

/** Makes a change under the lock. Everything is written before the first folder is moved, so that a full disk changes nothing. */
async function changeRoot(
  root: RulesRoot,
  change: (drafts: string, lock: HooksLock) => { readonly lock: HooksLock; readonly moves: readonly Move[] },
): Promise<void> {
  makeForHomeOwner(homedir(), root.path, (path) => makeWritableFolder(path, LABELS));
  const real = realpathSync(root.path);
  const drafts = join(dirname(real), DRAFTS);
  await underLock(join(root.source.locations.state, "rules", "lock"), () => {
    putBack(drafts, real);
    const lock = readLock(root.path);
    try {
      for (const name of ["new", "old"])
        makeForHomeOwner(homedir(), join(drafts, name), (path) => makeWritableFolder(path, LABELS));
      const changed = change(drafts, lock);
      const draft = join(drafts, "lock");
      writeNewFile(draft, formatLock(changed.lock), 0o644);
      for (const [from, to] of changed.moves) renameSync(from, to);
      renameSync(draft, lockFile(real));
    } finally {
      putBack(drafts, real);
    }
  });
}

const LABELS = {
  what: "the hooks folder",
  remedy: "Make it and its parent writable, and run it again.",
  mode: 0o755,
};

/** Puts rules back that were moved away for others that never came, and removes the rest. */
function putBack(drafts: string, root: string): void {
  const lock = readLock(root);
  const old = join(drafts, "old");
  // A project may have a link in their place, to hooks that are not its own.
  const isOwn = [drafts, old].every((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory());
  for (const name of isOwn ? readdirSync(old) : [])
    if (lock.has(name) && !existsSync(join(root, name))) renameSync(join(old, name), join(root, name));
  rmSync(drafts, { recursive: true, force: true });
}

/** A rule of hooks.lock, and what became of it. */
export interface InstalledRule {
  readonly name: string;
  readonly lock: LockedRule;
  readonly folder: string;
  readonly state: "as installed" | "edited" | "gone";
  readonly description: string;
}

export function installedRules(root: RulesRoot): readonly InstalledRule[] {
  return [...readLock(root.path)].map(([name, lock]) => {
    const folder = join(root.path, name);
    const hash = folderHash(folder);
    const state = hash === undefined ? "gone" : hash === lock.hash ? "as installed" : "edited";
    const { hook } = readHookFile(hookFileIn(folder));
    return { name, lock, folder, state, description: hook?.description ?? "" };
  });
}
