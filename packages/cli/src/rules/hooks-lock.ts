import { join } from "node:path";
import { isRecord, messageOf } from "@tenterhook/internal";
import { readPlainFile } from "@tenterhook/internal/files";
import { isPlainHookName } from "@tenterhook/protocol/internal";
import { formatPath } from "../format-hook.ts";
import { UsageError } from "../usage-error.ts";

/** Where a rule came from, and what it was then. */
export interface LockedRule {
  /** `tenterhook`, a git address, or a folder; relative to the project where it is inside of it. */
  readonly source: string;
  /** Of a git address: the commit. Of `tenterhook`: its version. */
  readonly commit?: string;
  readonly group?: string;
  /** It was written with `enforce: false`. */
  readonly observe?: true;
  /** Of the folder as it was written. */
  readonly hash: string;
}

export type HooksLock = ReadonlyMap<string, LockedRule>;

export function lockFile(root: string): string {
  return join(root, "hooks.lock");
}

/** The rules that were installed into a hooks root. Throws a `UsageError` for a file that cannot be used. */
export function readLock(root: string): HooksLock {
  const path = lockFile(root);
  try {
    const content: unknown = JSON.parse(readPlainFile(path));
    if (!isRecord(content) || content.version !== 1 || !isRecord(content.rules))
      throw new Error("it is not one of this version");
    const rules = Object.entries(content.rules);
    // Folders are named after them.
    const broken = rules.find(([name, rule]) => !isPlainHookName(name) || !isLocked(rule));
    if (broken !== undefined) throw new Error(`its entry ${JSON.stringify(broken[0])} is not a rule`);
    return new Map(rules as [string, LockedRule][]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return new Map();
    throw new UsageError(
      `${formatPath(path)} cannot be used: ${messageOf(error)}.`,
      "Restore it. Without it, rules that you have are kept as if you had written them.",
    );
  }
}

function isLocked(rule: unknown): boolean {
  if (!isRecord(rule) || typeof rule.source !== "string" || typeof rule.hash !== "string") return false;
  return [rule.commit, rule.group].every((each) => each === undefined || typeof each === "string");
}

/** One line for each rule, by name: changes are easy to read. */
export function formatLock(lock: HooksLock): string {
  const lines = [...lock]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { source, commit, group, observe, hash }]) => {
      const rule = { source, commit, group, observe, hash };
      return `    ${JSON.stringify(name)}: ${JSON.stringify(rule)}`;
    });
  return `{\n  "version": 1,\n  "rules": {\n${lines.join(",\n")}\n  }\n}\n`;
}
