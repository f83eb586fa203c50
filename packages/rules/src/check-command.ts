import {
  type CommandEffect,
  matchEffects,
  type PathSetPlace,
  type ReadCommandOptions,
  readCommand,
} from "@tenterhook/commands";
import { RECOMMENDED, type Rule, readRules } from "./read-rules.ts";

/** How a line is read, and by which rules. */
export interface CheckCommandOptions extends ReadCommandOptions {
  /** Default: the rules of the recommended groups. */
  readonly rules?: readonly Rule[] | undefined;
}

/** What rules say about a command. */
export interface CheckedCommand {
  readonly action: "pass" | "ask" | "block";
  /** The rule that says it; of several the first one of the strictest action. */
  readonly rule: string | undefined;
  readonly reason: string | undefined;
  readonly effects: readonly CommandEffect[];
}

/**
 * What rules say about a command line, without running anything. The strictest wins. A rule with a script counts as asking where it
 * matches, because only its script could say more.
 */
export function checkCommand(line: string, options: CheckCommandOptions): CheckedCommand {
  const { effects } = readCommand(line, options);
  const { workDir, home = options.env?.HOME, files } = options;
  const place: PathSetPlace = { workDir, home, files };
  let asked: Answer | undefined;
  // Every rule meets a line that cannot be read, so an answer of its own is preferred.
  let unreadable: Answer | undefined;
  for (const { name, hook, matchers } of options.rules ?? recommendedRules()) {
    for (const matcher of matchers) {
      const match = matchEffects(matcher, effects, place);
      if (match === undefined) continue;
      const { action, description } = hook;
      const reason = action?.reason ?? description;
      if (match.isUnreadable) unreadable ??= { rule: name, reason: UNREADABLE };
      else if (action?.type === "block") return { action: "block", rule: name, reason, effects };
      else asked ??= { rule: name, reason };
    }
  }
  const answer = asked ?? unreadable;
  if (answer === undefined) return { action: "pass", rule: undefined, reason: undefined, effects };
  return { action: "ask", ...answer, effects };
}

type Answer = Pick<CheckedCommand, "rule" | "reason">;

const UNREADABLE = "A part of this line cannot be read, so it is not known what it does.";

let recommended: readonly Rule[] | undefined;

function recommendedRules(): readonly Rule[] {
  recommended ??= readRules().filter(({ group }) => RECOMMENDED.includes(group));
  return recommended;
}
