import {
  type CommandEffect,
  compilePatterns,
  isEffect,
  isInGlob,
  isInPathSet,
  PATH_SET_NAMES,
  type PathPattern,
  type PathSetName,
  type PathSetPlace,
  type ReadCommandOptions,
  readCommand,
  type Target,
} from "@tenterhook/commands";
import { type EffectMatcher, RECOMMENDED, type Rule, readRules } from "./read-rules.ts";

export interface CheckCommandOptions extends ReadCommandOptions {
  /** Default: the rules of the recommended groups. */
  readonly rules?: readonly Rule[] | undefined;
}

/** What rules say about a command. */
export interface CheckedCommand {
  readonly action: "pass" | "ask" | "block";
  /** The rule that said it; of several the first one of the strictest action. */
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
  const place: PathSetPlace = { workDir: options.workDir, home: options.home, files: options.files };
  let asked: Rule | undefined;
  for (const rule of options.rules ?? recommendedRules()) {
    if (rule.action?.type !== "block" && asked !== undefined) continue;
    if (!effects.some((effect) => rule.matchers.some((matcher) => matches(matcher, effect, place)))) continue;
    if (rule.action?.type === "block")
      return { action: "block", rule: rule.name, reason: rule.action.reason, effects };
    asked = rule;
  }
  if (asked === undefined) return { action: "pass", rule: undefined, reason: undefined, effects };
  return { action: "ask", rule: asked.name, reason: asked.action?.reason ?? asked.description, effects };
}

let recommended: readonly Rule[] | undefined;

function recommendedRules(): readonly Rule[] {
  recommended ??= readRules().filter(({ group }) => RECOMMENDED.includes(group));
  return recommended;
}

/** One effect of that kind has one target in `path` and not in `not_path`. */
function matches(
  { effect, path, not_path = [], unknown }: EffectMatcher,
  found: CommandEffect,
  place: PathSetPlace,
): boolean {
  if (![effect].flat().some((name) => isEffect(found.name, name))) return false;
  const isElsewhere = found.where !== "here";
  if (path === undefined && not_path.length === 0)
    return !isElsewhere || /^(?:destroy_remote|send|unreadable)/.test(found.name);
  if (isElsewhere) return false;
  if (found.targets.length === 0) return path === undefined;
  return found.targets.some(
    (target) =>
      (path === undefined ||
        path.some((set) => isIn(set, target, place, "some")) ||
        (target.known === "unknown" && unknown !== "pass")) &&
      !not_path.some((set) => isIn(set, target, place, "all")),
  );
}

const patterns = new Map<string, readonly PathPattern[]>();

function isIn(set: string, target: Target, place: PathSetPlace, extent: "some" | "all"): boolean {
  if (target.type !== "path") return false;
  if ((PATH_SET_NAMES as readonly string[]).includes(set))
    return isInPathSet(set as PathSetName, target, place, extent);
  const compiled = patterns.get(set) ?? compilePatterns(set);
  patterns.set(set, compiled);
  return compiled.some((pattern) => isInGlob(pattern, target, place, extent));
}
