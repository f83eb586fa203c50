import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

/** The groups of rules, in the order in which they are shown. */
export const GROUPS = ["safety", "secrets", "self", "team", "cloud"] as const;

export type Group = (typeof GROUPS)[number];

/** The groups that `install` offers. */
export const RECOMMENDED: readonly Group[] = ["safety", "secrets", "self"];

/** The folder with a folder for each rule, which are hooks like any other. */
export const RULES_FOLDER = fileURLToPath(new URL("../rules", import.meta.url));

/** What a rule's matcher says about effects. */
export interface EffectMatcher {
  readonly effect: string | readonly string[];
  readonly path?: readonly string[];
  readonly not_path?: readonly string[];
  readonly unknown?: "pass";
}

/** A ready-made rule. */
export interface Rule {
  readonly name: string;
  readonly group: Group;
  readonly folder: string;
  readonly description: string;
  readonly matchers: readonly EffectMatcher[];
  /** Without it, the rule's script decides. */
  readonly action?: { readonly type: "ask" | "block"; readonly reason: string };
}

/** The rules of a folder, in the order of their groups, then of their names. Throws what the file system throws. */
export function readRules(folder: string = RULES_FOLDER): readonly Rule[] {
  const rules = readdirSync(folder)
    .sort()
    .map((name) => readRule(join(folder, name)));
  return GROUPS.flatMap((group) => rules.filter((rule) => rule.group === group));
}

function readRule(folder: string): Rule {
  const [, text = ""] = readFileSync(join(folder, "HOOK.md"), "utf8").split(/^---$/m);
  const { name, description, matcher, action, reason, metadata } = parse(text);
  return {
    name,
    group: metadata.group,
    folder,
    description,
    matchers: [matcher].flat(),
    ...(action !== undefined && { action: { type: action, reason } }),
  };
}
