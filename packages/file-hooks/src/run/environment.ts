import { statSync } from "node:fs";
import { userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { hasCredentials, looksSecret } from "@tenterhook/engine/process";
import { ownField } from "@tenterhook/internal";
import type { Environment } from "../discover/locations.ts";
import { cleanPathList, isInProject, isOfProcess, type Surroundings } from "./surroundings.ts";
import {
  DROPPED,
  FAMILIES,
  HARMLESS,
  isLanguage,
  LANGUAGES,
  PATH_LISTS,
  PATHS,
  SET_ASIDE,
} from "./variable-families.ts";

/** Where a hook's process runs, as its environment variables say. */
interface HookLocation {
  readonly hookDir: string;
  readonly projectDir: string;
  readonly sessionId: string;
  readonly event: string;
  readonly stateDir: string;
  readonly home: string | undefined;
}

export interface HookEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  readonly omitted: readonly OmittedVariable[];
}

/**
 * The environment of a hook: the inherited one, without what looks like a secret, without what steers programs and does not belong to the
 * hook, and with its own location in it. `allowed` are passed on as they are. It is the same as long as the inherited environment
 * is, because an agent waits for it at every hook. `inherited`: default that of this process.
 */
export function environmentFor(
  location: HookLocation,
  allowed: readonly string[],
  around: Surroundings,
  inherited: Environment = process.env,
): HookEnvironment {
  const own = ownVariables(location, around);
  const key = JSON.stringify([Object.values(own), allowed]);
  const cases = known.get(around) ?? new Map<string, KnownEnvironment>();
  known.set(around, cases);
  const before = cases.get(key);
  if (before !== undefined && isUnchanged(before, inherited)) return before.environment;
  const environment = new VariableList();
  for (const [name, value] of Object.entries(own)) environment.put(name, value);
  const isFinal = inherit(environment, allowed, around, inherited);
  // Sessions come and go.
  if (cases.size >= 100) cases.clear();
  if (isFinal)
    cases.set(key, { environment, names: Object.keys(inherited), values: Object.values(inherited) });
  return environment;
}

/** The environment that a hook got, and the inherited one at that time. */
interface KnownEnvironment {
  readonly environment: HookEnvironment;
  readonly names: readonly string[];
  readonly values: readonly (string | undefined)[];
}

const known = new WeakMap<Surroundings, Map<string, KnownEnvironment>>();

function isUnchanged({ names, values }: KnownEnvironment, inherited: Environment): boolean {
  const now = Object.keys(inherited);
  return (
    now.length === names.length &&
    now.every((name, at) => name === names[at] && inherited[name] === values[at])
  );
}

/**
 * Adds the variables that a hook inherits, besides those in the list: `allowed` as they are, others by their rules. Returns whether the same
 * environment has the same result the next time.
 */
function inherit(
  list: VariableList,
  allowed: readonly string[],
  { projects }: Surroundings,
  inherited: Environment,
): boolean {
  // Before the others, which may exceed what is left.
  for (const name of allowed) {
    const value = ownField(inherited, name) ?? inherited[SET_ASIDE + name];
    if (value !== undefined && !list.has(name)) list.put(name, value);
  }
  let isFinal = true;
  for (const [found, value] of Object.entries(inherited)) {
    const name = found.startsWith(SET_ASIDE) ? found.slice(SET_ASIDE.length) : found;
    if (value === undefined || name === "" || allowed.includes(name) || list.has(name)) continue;
    if (name === DROPPED) {
      for (const dropped of value.split(" ").filter(Boolean)) list.omit(dropped, TOO_MANY);
      continue;
    }
    const rule = variableRule(name);
    const why = reasonAgainst(rule, value, projects);
    // It may exist the next time.
    if (why !== undefined && rule.type === "path") isFinal = false;
    if (why !== undefined) list.omit(name, { why });
    else if (rule.type === "path_list") putFolders(list, name, value, projects);
    else list.put(name, value);
  }
  return isFinal;
}

/** Why a variable is not passed on. */
function reasonAgainst(rule: VariableRule, value: string, projects: readonly string[]): string | undefined {
  switch (rule.type) {
    case "removed":
      return `it steers ${rule.steers}`;
    case "secret":
      return "it looks like a secret";
    case "pass":
      return hasCredentials(value) ? "its value has a password in it" : undefined;
    case "language":
      return isLanguage(value) ? undefined : "it is not the name of a language";
    case "path":
      return isOutside(value, projects) ? undefined : "it names nothing that exists outside the project";
    case "path_list":
      return undefined;
  }
}

function putFolders(list: VariableList, name: string, value: string, projects: readonly string[]): void {
  const clean = cleanPathList(value, projects);
  if (clean !== "") list.put(name, clean);
  if (clean !== value && (clean === "" || list.has(name)))
    list.omit(name, { why: "it loses relative folders and those of the project" });
}

/** Whether a path leads to something that exists outside the projects. */
function isOutside(path: string, projects: readonly string[]): boolean {
  if (!isAbsolute(path) || isOfProcess(path) || isInProject(path, projects)) return false;
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** The names that a hook's metadata lets through. */
export function allowedNames(metadata: Readonly<Record<string, unknown>>): readonly string[] {
  const { env } = metadata as { env?: unknown };
  return Array.isArray(env) ? env.filter((name): name is string => typeof name === "string") : [];
}

function ownVariables(location: HookLocation, { path }: Surroundings): Readonly<Record<string, string>> {
  const isPosix = process.platform !== "win32";
  return {
    TENTERHOOK_HOOK_DIR: location.hookDir,
    TENTERHOOK_PROJECT_DIR: withoutNul(location.projectDir),
    TENTERHOOK_SESSION_ID: withoutNul(location.sessionId),
    TENTERHOOK_EVENT: location.event,
    TENTERHOOK_STATE_DIR: location.stateDir,
    ...(isPosix && {
      PATH: path,
      ...(location.home !== undefined && { HOME: withoutNul(location.home) }),
      ...accountVariables(),
    }),
  };
}

/** A variable cannot contain that character, and a hook that cannot be started checks nothing. */
function withoutNul(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}

/** A message for the person about variables that are left out for their length. */
export function lengthNotes({ omitted }: HookEnvironment): readonly string[] {
  const long = omitted.filter(({ isTooLong }) => isTooLong);
  if (long.length === 0) return [];
  const names = long.slice(0, 3).map(({ name }) => name);
  const more = long.length > names.length ? ` and ${long.length - names.length} more` : "";
  return [`it was run without ${names.join(", ")}${more}: ${long[0]?.why}`];
}

/** The variables that name the user, by the system's record of the account; none where it has no entry, as in some containers. */
function accountVariables(): Readonly<Record<string, string>> {
  account ??= readAccount();
  return account;
}

let account: Readonly<Record<string, string>> | undefined;

function readAccount(): Readonly<Record<string, string>> {
  try {
    const { username, shell } = userInfo();
    // An entry without a shell means this one.
    return { USER: username, LOGNAME: username, SHELL: shell || "/bin/sh" };
  } catch {
    return {};
  }
}

/** What becomes of a variable, by its name. */
type VariableRule =
  | { readonly type: "pass" | "secret" | "path_list" | "path" | "language" }
  | { readonly type: "removed"; readonly steers: string };

const PASS: VariableRule = { type: "pass" };

// On Windows names have no case.
const asKey = (name: string) => (process.platform === "win32" ? name.toUpperCase() : name);

/** The rules of whole names, and of beginnings of names. Compared as text: to compile a pattern takes longer, and an agent waits. */
const whole = new Map<string, VariableRule>();
const beginnings: (readonly [string, VariableRule])[] = [];

for (const { steers, names } of FAMILIES) {
  const rule: VariableRule = { type: "removed", steers };
  for (const name of names) {
    if (name.endsWith("*")) beginnings.push([asKey(name.slice(0, -1)), rule]);
    else whole.set(asKey(name), rule);
  }
}
// After the families, of which some are members.
for (const name of HARMLESS) whole.set(asKey(name), PASS);
for (const name of PATH_LISTS) whole.set(asKey(name), { type: "path_list" });
for (const name of PATHS) whole.set(asKey(name), { type: "path" });
for (const name of LANGUAGES) whole.set(asKey(name), { type: "language" });

// The same names come with every process, and a project can invent others.
const knownRules = new Map<string, VariableRule>();
const MOST_KNOWN = 10_000;

function variableRule(name: string): VariableRule {
  let rule = knownRules.get(name);
  if (rule === undefined) {
    rule = findRule(name);
    if (knownRules.size >= MOST_KNOWN) knownRules.clear();
    knownRules.set(name, rule);
  }
  return rule;
}

function findRule(name: string): VariableRule {
  const key = asKey(name);
  const rule = whole.get(key);
  if (rule !== undefined) return rule;
  if (looksSecret(name)) return { type: "secret" };
  return beginnings.find(([beginning]) => key.startsWith(beginning))?.[1] ?? PASS;
}

/** A variable that a hook's process does not get, or not as it is. */
interface OmittedVariable {
  readonly name: string;
  readonly why: string;
  /** It is left out for its length, which its author may not expect. */
  readonly isTooLong?: true;
}

/** Why a variable is not passed on, or not as it is. */
export type Reason = Omit<OmittedVariable, "name">;

/** A longer variable is not passed on. From 128 KiB on, Linux starts no process with it. */
const LONGEST = 64 * 1024;
/** What exceeds this is not passed on. Linux starts no process with more than about 2 MiB. */
const MOST = 1024 * 1024;

const TOO_MANY: Reason = { why: "all variables together are longer than 1 MiB", isTooLong: true };

/** Variables for a process, up to a limit, and why others are not among them. */
class VariableList {
  readonly variables: Record<string, string> = {};
  readonly omitted: OmittedVariable[] = [];
  #size = 0;

  has(name: string): boolean {
    return Object.hasOwn(this.variables, name);
  }

  put(name: string, value: string): void {
    const size = Buffer.byteLength(name) + Buffer.byteLength(value) + 2;
    if (size > LONGEST) this.omit(name, { why: "it is longer than 64 KiB", isTooLong: true });
    else if (this.#size + size > MOST) this.omit(name, TOO_MANY);
    else {
      this.#size += size;
      this.variables[name] = value;
    }
  }

  omit(name: string, reason: Reason): void {
    this.omitted.push({ name, ...reason });
  }
}
