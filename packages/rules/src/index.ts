export { type CheckCommandOptions, type CheckedCommand, checkCommand } from "./check-command.ts";
export { GROUPS, type Group, RECOMMENDED, RULES_FOLDER, type Rule, readRules } from "./read-rules.ts";
