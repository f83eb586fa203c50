import {
  checkEffectMatcher,
  type EffectMatcherInit,
  isEffect,
  PATH_SET_NAMES,
  type PathSetName,
} from "@tenterhook/protocol/internal";
import type { CommandEffect, Target } from "./effects.ts";
import { compileGlob, coversName, type PathPattern } from "./path-patterns.ts";
import { type Extent, isInGlob, isInPathSet, type PathSetPlace } from "./path-sets.ts";

type PathRule =
  | { readonly type: "set"; readonly name: PathSetName }
  | { readonly type: "glob"; readonly text: string };

/** A checked {@link EffectMatcherInit}. */
export interface EffectMatcher {
  readonly effects: readonly string[];
  readonly paths: readonly PathRule[] | undefined;
  readonly notPaths: readonly PathRule[];
  readonly hosts: readonly string[] | undefined;
  readonly passesUnknown: boolean;
  readonly passesUnreadable: boolean;
}

/** What a matcher matched. */
export interface EffectMatch {
  readonly effect: CommandEffect;
  /** Absent where the matcher is about the effect alone, and it has none. */
  readonly target?: Target | undefined;
  /** It matches only because the line cannot be read: an ask, whatever the action of the rule is. */
  readonly isUnreadable: boolean;
}

/** Checks a matcher. Throws `bad_matcher`, which names the field, the value and what is known. */
export function compileEffectMatcher(init: EffectMatcherInit): EffectMatcher {
  checkEffectMatcher(init);
  const { effect, path, notPath, host, unknown, unreadable } = init;
  return {
    effects: [effect].flat(),
    paths: path === undefined ? undefined : [path].flat().map(readPath),
    notPaths: [notPath ?? []].flat().map(readPath),
    hosts: host === undefined ? undefined : [host].flat().map((each) => each.toLowerCase()),
    passesUnknown: unknown === "pass",
    passesUnreadable: unreadable === "pass",
  };
}

/** What of a call a matcher is about: one effect of its kinds that has one target in `path` and not in `notPath`. */
export function matchEffects(
  matcher: EffectMatcher,
  effects: readonly CommandEffect[],
  place: PathSetPlace,
): EffectMatch | undefined {
  for (const effect of effects) {
    if (!matcher.effects.some((name) => isEffect(effect.name, name))) continue;
    const found = matchTargets(matcher, effect, place);
    if (found !== undefined) return { effect, target: found.target, isUnreadable: false };
  }
  if (matcher.passesUnreadable) return undefined;
  const effect = effects.find(({ name }) => name === "unreadable");
  return effect && { effect, isUnreadable: true };
}

/** These are about what is elsewhere, wherever the command runs. */
const ELSEWHERE = ["destroy_remote", "send", "unreadable"];

function matchTargets(
  { paths, notPaths, hosts, passesUnknown }: EffectMatcher,
  { name, targets, where }: CommandEffect,
  place: PathSetPlace,
): { readonly target?: Target | undefined } | undefined {
  const isAboutPaths = paths !== undefined || notPaths.length > 0;
  if (where !== "here" && (isAboutPaths || !ELSEWHERE.some((each) => isEffect(name, each)))) return undefined;
  if (hosts !== undefined && !targets.some(isWantedHost)) return undefined;
  if (targets.length === 0) return paths === undefined ? {} : undefined;
  const isOnlyHost = !isAboutPaths && hosts !== undefined;
  const target = targets.find(isOnlyHost ? isWantedHost : isWanted);
  return target && { target };

  function isWanted(target: Target): boolean {
    const isIn = (rule: PathRule, extent: Extent) => isInRule(rule, target, place, extent);
    const isFound = paths?.some((rule) => isIn(rule, "some")) ?? target.known !== "unknown";
    if (!isFound && (target.known !== "unknown" || passesUnknown)) return false;
    return !notPaths.some((rule) => isIn(rule, "all"));
  }
  function isWantedHost(target: Target): boolean {
    if (target.type !== "host") return false;
    if (target.known === "unknown") return !passesUnknown;
    return hosts?.some((host) => coversName(host, target.name.toLowerCase())) === true;
  }
}

function isInRule(rule: PathRule, target: Target, place: PathSetPlace, extent: Extent): boolean {
  if (target.type !== "path") return false;
  return rule.type === "set"
    ? isInPathSet(rule.name, target, place, extent)
    : globsAt(rule, place).some((glob) => isInGlob(glob, target, place, extent));
}

interface PlacedGlob {
  readonly workDir: string;
  readonly home: string | undefined;
  readonly patterns: readonly PathPattern[];
}
/** Of the folders that a rule was last asked for: they seldom change. */
const placed = new WeakMap<PathRule, PlacedGlob>();

function globsAt(rule: PathRule & { readonly type: "glob" }, { workDir, home }: PathSetPlace) {
  const last = placed.get(rule);
  if (last !== undefined && last.workDir === workDir && last.home === home) return last.patterns;
  const patterns = foldersOf(rule.text, workDir, home).map((folder) =>
    compileGlob(`${folder}/${rule.text.replace(/^~(?=\/|$)/, "")}`),
  );
  placed.set(rule, { workDir, home, patterns });
  return patterns;
}

/** Where a glob begins. Without a known home folder, `~/` is that of every user. */
function foldersOf(glob: string, workDir: string, home: string | undefined): readonly string[] {
  if (/^~(?:\/|$)/.test(glob)) return home === undefined ? ["/home/*", "/Users/*", "/root"] : [home];
  return [/^(?:\/|[A-Za-z]:)/.test(glob) ? "" : workDir];
}

function readPath(text: string): PathRule {
  const name = PATH_SET_NAMES.find((known) => known === text);
  if (name !== undefined) return { type: "set", name };
  // A folder with a slash at its end is meant with all in it.
  return { type: "glob", text: text.replaceAll("\\", "/").replace(/(.)\/$/, "$1/**") };
}
