import { existsSync } from "node:fs";
import type { CataloguedHook, FileHooks } from "@tenterhook/file-hooks";
import { shortened, typedCommand } from "@tenterhook/internal";
import { GROUPS } from "@tenterhook/rules";
import { auditFile } from "../audit/audit-record.ts";
import { addDecisions, chooseColumns, countIn } from "../insights/decision-columns.ts";
import { DEFAULT_SINCE, readPeriod } from "../insights/insight-period.ts";
import { readLog } from "../insights/read-log.ts";
import {
  bold,
  count,
  dim,
  green,
  oneLine,
  plain,
  print,
  printJson,
  red,
  type Style,
  terminalWidth,
  yellow,
} from "../terminal.ts";
import { bundledRules, GROUP_TITLES } from "./fetch-rules.ts";
import { type InstalledRule, installedRules, type RulesRoot } from "./rules-root.ts";

/** A rule in the list: installed, or ready to be. */
interface ListedRule {
  readonly name: string;
  readonly group: string;
  readonly description: string;
  readonly scope?: RulesRoot["scope"];
  readonly source?: string;
  readonly commit?: string;
  readonly status: RuleStatus;
  /** What it did in the last days, by outcome. */
  readonly decisions: Readonly<Record<string, number>>;
}

type RuleStatus =
  | "enforced"
  | "observed"
  | "edited"
  | "disabled"
  | "not trusted"
  | "gone"
  | "broken"
  | "not used"
  | "not installed";

/** Prints groups and rules with what they did in the last days; with `wanted`, all rules of a group or one rule. */
export async function listRules(
  roots: readonly RulesRoot[],
  wanted: string | undefined,
  json: boolean,
): Promise<boolean> {
  const rules = await readListed(roots);
  const shown = rules.filter(({ name, group }) => wanted === undefined || [name, group].includes(wanted));
  if (json) printJson({ since: DEFAULT_SINCE, rules: shown });
  else printGroups(shown, wanted !== undefined);
  return shown.length > 0;
}

async function readListed(roots: readonly RulesRoot[]): Promise<readonly ListedRule[]> {
  const [{ source } = roots[0] as RulesRoot] = roots;
  const did = await readDecisions(source);
  const { hooks } = await source.catalogue();
  const decisionsOf = (name: string) => did.get(name) ?? {};
  const installed = roots.flatMap((root) =>
    installedRules(root).map((rule): ListedRule => {
      const { name, lock, description } = rule;
      const { group = "other", source: from, commit } = lock;
      const status = statusOf(rule, hooks);
      const where = { scope: root.scope, source: from, ...(commit !== undefined && { commit }) };
      return { name, group, description, ...where, status, decisions: decisionsOf(name) };
    }),
  );
  const known = new Set(installed.map(({ name }) => name));
  const ready = bundledRules().flatMap(({ name, group, hook: { description } }): ListedRule[] =>
    known.has(name) ? [] : [{ name, group, description, status: "not installed", decisions: {} }],
  );
  const all = [...installed, ...ready];
  const groups = [...new Set([...GROUPS, ...all.map(({ group }) => group)])];
  return groups.flatMap((group) =>
    all.filter((rule) => rule.group === group).sort((a, b) => (a.name < b.name ? -1 : 1)),
  );
}

function statusOf({ folder, state }: InstalledRule, hooks: readonly CataloguedHook[]): RuleStatus {
  if (state === "gone") return "gone";
  const each = hooks.find((hook) => hook.folder === folder && hook.gone === undefined);
  if (each === undefined) return "broken";
  if (each.inactive !== undefined) return each.inactive === "disabled" ? "disabled" : "not used";
  if (each.scope === "project" && !each.isTrusted) return "not trusted";
  if (state === "edited") return "edited";
  return each.hook.enforce === false ? "observed" : "enforced";
}

/** What each hook did in the last days, of the decision log. */
async function readDecisions(
  source: FileHooks,
): Promise<ReadonlyMap<string, Readonly<Record<string, number>>>> {
  const file = auditFile(source.locations);
  if (!existsSync(file)) return new Map();
  const { sums } = await readLog(file, { ...readPeriod(DEFAULT_SINCE), hook: undefined });
  const rows = sums.toInsights().hooks;
  const names = new Set(rows.map(({ hook }) => hook));
  return new Map(
    [...names].map((name) => [
      name,
      addDecisions(rows.filter(({ hook }) => hook === name).map(({ decisions }) => decisions)),
    ]),
  );
}

function printGroups(rules: readonly ListedRule[], isAll: boolean): void {
  const width = terminalWidth();
  const nameWidth = Math.max(0, ...rules.map(({ name }) => name.length));
  const groups = [...new Set(rules.map(({ group }) => group))];
  const groupWidth = Math.max(0, ...groups.map(({ length }) => length));
  for (const group of groups) {
    const its = rules.filter((rule) => rule.group === group);
    const installed = its.filter(({ status }) => status !== "not installed");
    const number = `${installed.length} of ${count(its.length, "rule")}`;
    const style = installed.length === 0 ? plain : green;
    const about = shortened(
      oneLine((GROUP_TITLES as Readonly<Record<string, string>>)[group] ?? "rules from elsewhere"),
      Math.max(20, width - groupWidth - 18),
    );
    print(`${bold(oneLine(group).padEnd(groupWidth))}  ${style(number.padEnd(14))}  ${dim(about)}`);
    for (const rule of isAll ? its : installed) printRule(rule, { nameWidth, width, isAll });
  }
  const command = `${typedCommand()} rules`;
  print(dim(`\nAdd a group: ${command} add GROUP. Look at it first: ${command} list GROUP`));
  if (rules.some(({ status }) => status !== "not installed"))
    print(dim(`The numbers are of the last 7 days. More: ${typedCommand()} log --summary`));
}

/** With its description only where there is not much else. */
function printRule(
  { name, status, scope, description, decisions }: ListedRule,
  {
    nameWidth,
    width,
    isAll,
  }: { readonly nameWidth: number; readonly width: number; readonly isAll: boolean },
): void {
  const did = formatDecisions(decisions);
  const where = scope === "project" ? ", project" : "";
  print(
    `  ${oneLine(name).padEnd(nameWidth)}  ${STYLES[status](status)}${where}${did === "" ? "" : `  ${did}`}`,
  );
  if (isAll) print(dim(`    ${shortened(oneLine(description), Math.max(20, width - 4))}`));
}

/** `3 blocked, 1 asked`. */
export function formatDecisions(decisions: Readonly<Record<string, number>>): string {
  return chooseColumns(decisions)
    .map((column) => column.style(`${countIn(decisions, column)} ${column.title}`))
    .join(", ");
}

const STYLES: Readonly<Record<RuleStatus, Style>> = {
  enforced: green,
  observed: yellow,
  edited: yellow,
  disabled: yellow,
  "not trusted": yellow,
  gone: yellow,
  broken: red,
  "not used": yellow,
  "not installed": plain,
};
