import { userInfo } from "node:os";
import type { Environment } from "../caller/environment.ts";
import { Inheriting } from "./inherited-variables.ts";
import type { Surroundings } from "./surroundings.ts";
import { type OmittedVariable, VariableList } from "./variable-list.ts";

/** Where a hook's process runs, as its environment variables say. */
export interface HookLocation {
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
  const { isFinal } = new Inheriting(environment, allowed, around, inherited);
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
