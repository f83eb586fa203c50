import { didYouMean, formatValue, shortened, TenterhookError } from "@tenterhook/internal";

/** Everything that a command can do, as rules name it. A shorter name means all below it: `send` is also `send.secret`. */
export const EFFECT_NAMES = [
  "read",
  "read.store",
  "write",
  "write.secret",
  "delete",
  "delete.recursive",
  "move",
  "permissions",
  "permissions.recursive",
  "device",
  "device.volume",
  "execute.file",
  "execute.remote",
  "execute.connection",
  "execute.decoded",
  "execute.unknown",
  "send",
  "send.secret",
  "send.environment",
  "send.folder",
  "discard.worktree",
  "discard.untracked",
  "discard.ignored",
  "discard.linked",
  "discard.stash",
  "discard.stash.all",
  "discard.branch",
  "rewrite_history.all",
  "rewrite_history.recovery",
  "rewrite_history.amend",
  "rewrite_history.rebase",
  "publish",
  "publish.force",
  "publish.lease",
  "publish.lease.refspec",
  "publish.delete",
  "publish.package",
  "destroy_remote",
  "power",
  "process",
  "process.all",
  "firewall",
  "firewall.flush",
  "user",
  "user.password",
  "service",
  "schedule",
  "install",
  "exhaust",
  "bypass",
  "unreadable",
] as const;

export type EffectName = (typeof EFFECT_NAMES)[number];

/** Whether an effect is what a rule names. */
export function isEffect(name: EffectName, ruleName: string): boolean {
  return name === ruleName || (name.startsWith(ruleName) && name[ruleName.length] === ".");
}

/** The names that `path` and `not_path` of a rule may have besides globs. */
export const PATH_SET_NAMES = [
  "root",
  "system",
  "accounts",
  "home",
  "home-whole",
  "other-homes",
  "project",
  "project-whole",
  "outside-project",
  "git",
  "scratch",
  "ignored",
  "made",
  "secrets",
  "keys",
  "maybe-secrets",
  "fixtures",
  "self",
  "harmless-device",
] as const;

export type PathSetName = (typeof PATH_SET_NAMES)[number];

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

/** Throws `bad_matcher`, which names the field, the value and what is known. `notPath` is what the field is called where it is written. */
export function checkEffectMatcher(init: EffectMatcherInit, notPath = "notPath"): void {
  for (const name of readList("effect", init.effect))
    if (!EFFECT_NAMES.some((known) => isEffect(known, name)))
      throw badMatcher(
        "effect",
        name,
        "there is no such effect",
        didYouMean(name, EFFECT_NAMES),
        EFFECT_NAMES,
      );
  for (const [field, value, check] of [
    ["path", init.path, checkPath],
    [notPath, init.notPath, checkPath],
    ["host", init.host, checkHost],
  ] as const)
    if (value !== undefined) for (const text of readList(field, value)) check(field, text, notPath);
  for (const field of ["unknown", "unreadable"] as const)
    if (init[field] !== undefined && init[field] !== "pass")
      throw badMatcher(field, init[field], 'the only value is "pass"');
}

const MAX_GLOB = 1_000;

function checkPath(field: string, text: string, notPath: string): void {
  if ((PATH_SET_NAMES as readonly string[]).includes(text)) return;
  const glob = text.replaceAll("\\", "/");
  const bad = (why: string, hint = "") => badMatcher(field, text, why, hint, PATH_SET_NAMES);
  // A misspelt set would be a file that does not exist, and the rule would never match.
  if (/^[a-z-]+$/.test(glob))
    throw bad(
      "there is no such path set",
      didYouMean(text, PATH_SET_NAMES, `A file or folder is written as ./${text}.`),
    );
  if (glob.startsWith("!")) throw bad("a glob does not exclude", `Use ${notPath}.`);
  if (/[[\]{}]/.test(glob)) throw bad("a glob has only *, ? and **", "Write one glob for each alternative.");
  if (/^~[^/]/.test(glob)) throw bad("a glob names the own home folder only", "It begins with ~/.");
  if (glob.length > MAX_GLOB) throw bad(`a glob has at most ${MAX_GLOB} characters`);
}

function checkHost(field: string, text: string): void {
  if (/^(?:[\w.*?-]+|\[[\w:.]+\])$/.test(text)) return;
  throw badMatcher(
    field,
    text,
    "a host is a name or an address, with * for any part",
    "Leave out the scheme, the user, the port and the path.",
  );
}

function readList(field: string, value: unknown): readonly string[] {
  const list = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (list.length === 0)
    throw badMatcher(field, value, "the list is empty", "Leave the field out, or name one.");
  for (const each of list)
    if (typeof each !== "string" || each === "")
      throw badMatcher(field, each, "it has to be a text, or a list of texts");
  return list as readonly string[];
}

function badMatcher(field: string, value: unknown, why: string, hint = "", known: readonly string[] = []) {
  const names = known.length === 0 ? "" : ` Known: ${known.join(", ")}.`;
  const text = typeof value === "string" ? JSON.stringify(shortened(value, 80)) : formatValue(value);
  const problem = `the matcher's ${field} ${text} cannot be used: ${why}.${names}`;
  return new TenterhookError("bad_matcher", problem, hint === "" ? {} : { hint });
}
