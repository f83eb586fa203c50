import { didYouMean, formatValue, shortened, TenterhookError } from "@tenterhook/internal";
import { type CommandEffect, EFFECT_NAMES, type EffectName, isEffect, type Target } from "./effects.ts";
import { compileGlob, matchesWildcards, type PathPattern } from "./path-patterns.ts";
import {
  type Extent,
  isInGlob,
  isInPathSet,
  PATH_SET_NAMES,
  type PathSetName,
  type PathSetPlace,
} from "./path-sets.ts";

type Above<Name extends string> = Name extends `${infer First}.${infer Rest}`
  ? First | `${First}.${Above<Rest>}`
  : never;

/** An effect, or a shorter name that means all below it. */
export type EffectMatcherName = EffectName | Above<EffectName>;

/** Which effects a rule is about, as it is written. In code; HOOK.md has the same fields with `_` between the words. */
export interface EffectMatcherInit {
  /** One effect of one of these kinds matches. */
  readonly effect: string | readonly string[];
  /** Path sets, and globs: `~/` is the home folder, a relative one is below the working folder. An effect without a target does not match. */
  readonly path?: string | readonly string[] | undefined;
  /** The same, for targets that do not match. */
  readonly notPath?: string | readonly string[] | undefined;
  /** Globs of hosts, in which `*` stands for dots, too. */
  readonly host?: string | readonly string[] | undefined;
  /** A target that is not known does not match. */
  readonly unknown?: "pass" | undefined;
  /** A line that cannot be read does not match. */
  readonly unreadable?: "pass" | undefined;
}

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
  const effects = readList("effect", init.effect);
  for (const name of effects)
    if (!EFFECT_NAMES.some((known) => isEffect(known, name)))
      throw badMatcher(
        "effect",
        name,
        "there is no such effect",
        didYouMean(name, EFFECT_NAMES),
        EFFECT_NAMES,
      );
  const list = (field: string, value: string | readonly string[] | undefined) =>
    value === undefined ? undefined : readList(field, value);
  return {
    effects,
    paths: list("path", init.path)?.map((text) => readPath("path", text)),
    notPaths: list("notPath", init.notPath)?.map((text) => readPath("notPath", text)) ?? [],
    hosts: list("host", init.host)?.map(readHost),
    passesUnknown: isPass("unknown", init.unknown),
    passesUnreadable: isPass("unreadable", init.unreadable),
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
    return hosts?.some((host) => matchesWildcards(host, target.name.toLowerCase())) === true;
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

const MAX_GLOB = 1_000;

function readPath(field: string, text: string): PathRule {
  const name = PATH_SET_NAMES.find((known) => known === text);
  if (name !== undefined) return { type: "set", name };
  const glob = text.replaceAll("\\", "/");
  const why = (reason: string, hint: string) => badMatcher(field, text, reason, hint, PATH_SET_NAMES);
  // A misspelt set would be a file that does not exist, and the rule would never match.
  if (/^[a-z-]+$/.test(glob))
    throw why(
      "there is no such path set",
      didYouMean(text, PATH_SET_NAMES, `A file or folder is written as ./${text}.`),
    );
  if (glob.startsWith("!")) throw why("a glob does not exclude", "Use notPath (not_path in a file).");
  if (/[[\]{}]/.test(glob)) throw why("a glob has only *, ? and **", "Write one glob for each alternative.");
  if (/^~[^/]/.test(glob)) throw why("a glob names the own home folder only", "It begins with ~/.");
  if (glob.length > MAX_GLOB) throw why(`a glob has at most ${MAX_GLOB} characters`, "");
  // A folder with a slash at its end is meant with all in it.
  return { type: "glob", text: glob.replace(/(.)\/$/, "$1/**") };
}

function readHost(text: string): string {
  if (!/^(?:[\w.*?-]+|\[[\w:.]+\])$/.test(text))
    throw badMatcher(
      "host",
      text,
      "a host is a name or an address, with * for any part",
      "Leave out the scheme, the user, the port and the path.",
    );
  return text.toLowerCase();
}

function readList(field: string, value: unknown): readonly string[] {
  const list = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (list.length === 0)
    throw badMatcher(field, value, "the list is empty", "Leave the field out, or name one.");
  for (const each of list)
    if (typeof each !== "string" || each === "")
      throw badMatcher(field, each, "it has to be a text, or a list of texts", "");
  return list as readonly string[];
}

function isPass(field: string, value: unknown): boolean {
  if (value !== undefined && value !== "pass") throw badMatcher(field, value, 'the only value is "pass"', "");
  return value === "pass";
}

function badMatcher(field: string, value: unknown, why: string, hint: string, known: readonly string[] = []) {
  const names = known.length === 0 ? "" : ` Known: ${known.join(", ")}.`;
  const text = typeof value === "string" ? JSON.stringify(shortened(value, 80)) : formatValue(value);
  return new TenterhookError(
    "bad_matcher",
    `the matcher's ${field} ${text} cannot be used: ${why}.${names}`,
    {
      ...(hint !== "" && { hint }),
    },
  );
}
