import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileEffectMatcher, type EffectMatcher } from "@tenterhook/commands";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import { type HookFile, TenterhookError } from "@tenterhook/protocol";
import { listMatchers } from "@tenterhook/protocol/internal";

/** The groups of rules, in the order in which they are shown. */
export const GROUPS = ["safety", "secrets", "self", "team", "cloud"] as const;

/** The name of a group of rules. */
export type Group = (typeof GROUPS)[number];

/** The groups that `install` offers. */
export const RECOMMENDED: readonly Group[] = ["safety", "secrets", "self"];

/** The folder with a folder for each rule, which are hooks like any other. */
export const RULES_FOLDER = fileURLToPath(new URL("../rules", import.meta.url));

/** A ready-made rule. */
export interface Rule {
  readonly name: string;
  readonly group: Group;
  readonly folder: string;
  /** Its HOOK.md. Without an `action`, its script decides. */
  readonly hook: HookFile;
  /** What it is about: one must match. */
  readonly matchers: readonly EffectMatcher[];
}

/**
 * The rules of a folder, in the order of their groups, then of their names. Throws `bad_hook_file` for a HOOK.md that is no rule, and what the
 * file system throws.
 */
export function readRules(folder: string = RULES_FOLDER): readonly Rule[] {
  const rules = readdirSync(folder)
    .sort()
    .map((name) => readRule(join(folder, name)));
  return GROUPS.flatMap((group) => rules.filter((rule) => rule.group === group));
}

function readRule(folder: string): Rule {
  const file = join(folder, "HOOK.md");
  const { hook, findings } = readHookFile(file);
  const problem = findings.find(({ severity }) => severity === "error")?.message;
  if (hook === undefined) throw new TenterhookError("bad_hook_file", `${file}: ${problem}`);
  const group = GROUPS.find((each) => each === hook.metadata.group);
  if (group === undefined)
    throw new TenterhookError(
      "bad_hook_file",
      `${file}: metadata.group must be one of ${GROUPS.join(", ")}, and is ${JSON.stringify(hook.metadata.group)}`,
    );
  const matchers = (listMatchers(hook) ?? []).map(({ effect, ...others }) => {
    if (effect !== undefined) return compileEffectMatcher({ effect, ...others });
    throw new TenterhookError("bad_hook_file", `${file}: every matcher of a rule needs an effect`);
  });
  return { name: hook.name, group, folder, hook, matchers };
}
