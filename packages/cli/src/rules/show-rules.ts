import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { shellWord, typedCommand } from "@tenterhook/internal";
import { fullPath } from "../format-hook.ts";
import { bold, dim, green, oneLine, styled, yellow } from "../terminal.ts";
import { presentation } from "../trust/presentation.ts";
import { OWN_SOURCE } from "./fetch-rules.ts";
import { writeRuleFiles } from "./rule-files.ts";
import type { RulePlan, RulesRoot } from "./rules-root.ts";

/** Shows what would be written, and what is kept. Rules of others are shown with their scripts. */
export function showPlans(root: RulesRoot, plans: readonly RulePlan[], output: NodeJS.WriteStream): void {
  const write = (text: string) => void output.write(`${styled(text)}\n`);
  for (const { rule, change, target } of plans) {
    const { name, hook, lock } = rule;
    switch (change) {
      case "same":
        write(dim(`  ${name} is there already`));
        break;
      case "edited":
        write(yellow(`! ${name} is not as it was installed, so it is kept: ${oneLine(fullPath(target))}`));
        write(
          dim(`  The difference: diff -ru ${shellWord(target)} ${shellWord(comparedFolder(root, name))}`),
        );
        write(dim(`  To take the other one: ${typedCommand()} rules remove ${name}, then add it again.`));
        break;
      case "taken":
        write(
          yellow(`! ${name} is the name of another hook in ${oneLine(fullPath(root.path))}, which is kept.`),
        );
        break;
      default:
        if (lock.source === OWN_SOURCE)
          write(
            `${green(change === "new" ? "+" : "~")} ${bold(name)}${lock.observe ? yellow(" (observed)") : ""}  ${dim(oneLine(hook.description))}`,
          );
        else {
          const since = change === "new" ? "new" : "another version than yours";
          write(`${presentation(rule.folder, hook, undefined, since)}\n`);
          // While the question is open, what was fetched can be looked at.
          if (change === "update")
            write(dim(`  The difference: diff -ru ${shellWord(target)} ${shellWord(rule.folder)}\n`));
        }
    }
  }
}

/** What was fetched for rules that were edited, where a person can compare it. */
export function keepForComparison(root: RulesRoot, plans: readonly RulePlan[]): void {
  for (const { rule, change } of plans) {
    if (change !== "edited") continue;
    const folder = comparedFolder(root, rule.name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
    writeRuleFiles(folder, rule.files);
  }
}

function comparedFolder({ source }: RulesRoot, name: string): string {
  return join(source.locations.state, "rules", "compare", name);
}
