import { join } from "node:path";
import { didYouMean, shortened } from "@tenterhook/internal";
import { GROUPS, RECOMMENDED } from "@tenterhook/rules";
import { hookFoldersIn } from "../find-hooks.ts";
import { nameIn } from "../hook-folders.ts";
import { bold, type Cell, count, dim, green, oneLine, plain, table, yellow } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { bundledRules, fetchRules, GROUP_TITLES } from "./fetch-rules.ts";
import { planRules, type RulePlan, type RulesRoot } from "./rules-root.ts";

/** The ready-made rules that `install` writes; those that exist are kept. */
export interface RuleOffer {
  readonly plans: readonly RulePlan[];
  readonly isObserved: boolean;
  /** Hooks that are there already, by any author. */
  readonly kept: readonly string[];
}

export interface OfferOptions {
  /** Groups or rules; `undefined`: the recommended groups of which nothing is there yet. */
  readonly wanted: readonly string[] | undefined;
  readonly observe: boolean;
}

/** Fetches the rules of this version that are not there. Throws a `UsageError` for an unknown group. */
export function offerRules(root: RulesRoot, into: string, { wanted, observe }: OfferOptions): RuleOffer {
  const kept = hookFoldersIn(root.path).map(nameIn);
  const bundled = bundledRules();
  const untouched = RECOMMENDED.filter(
    (group) => !bundled.some((rule) => rule.group === group && kept.includes(rule.name)),
  );
  const known = [...GROUPS, ...bundled.map(({ name }) => name)];
  const unknown = wanted?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `there is no group of rules "${unknown}".`,
      didYouMean(unknown, known, `Groups: ${GROUPS.join(", ")}`),
    );
  const options = { project: root.project, observe };
  const rules = (wanted ?? untouched).flatMap((name, index) =>
    fetchRules(name, join(into, `${index}`), options),
  );
  const unique = rules.filter(({ name }, at) => rules.findIndex((rule) => rule.name === name) === at);
  const plans = planRules(root, unique).filter(({ change }) => change === "new");
  return { plans, isObserved: observe, kept };
}

/** The groups, with what is written and what is kept. */
export function formatOffer({ plans, isObserved, kept }: RuleOffer, width: number): readonly string[] {
  const bundled = bundledRules();
  const rows = Object.entries(GROUP_TITLES).flatMap(([group, about]): Cell[][] => {
    const its = bundled.filter((rule) => rule.group === group);
    const there = its.filter(({ name }) => kept.includes(name)).length;
    const added = plans.filter(({ rule }) => rule.lock.group === group).length;
    if (there + added === 0) return [];
    const style = added === 0 ? plain : isObserved ? yellow : green;
    const text = added === 0 ? `${count(there, "rule")}, kept` : `+ ${count(added, "rule")}`;
    return [
      [`  ${group}`, { text, style }, { text: shortened(about, Math.max(20, width - 24)), style: dim }],
    ];
  });
  const own = kept.filter((name) => !bundled.some((rule) => rule.name === name));
  const left = GROUPS.filter((group) => !rows.some(([cell]) => cell === `  ${group}`));
  return [
    bold("Rules"),
    ...(rows.length > 0 ? [table(rows)] : []),
    ...(own.length > 0 ? [`  Your own, kept: ${oneLine(own.join(", "))}`] : []),
    ...(left.length > 0 ? [dim(`  Not offered: ${left.join(", ")}`)] : []),
    ...(plans.length > 0 && isObserved
      ? [yellow("  They are only observed: what they would have done is recorded.")]
      : []),
  ];
}
