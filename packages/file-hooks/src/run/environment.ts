import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { hasCredentials } from "@tenterhook/engine/process";
import { accountVariables } from "./account.ts";
import { cleanPathList, isInProject, isOfProcess, type Surroundings } from "./surroundings.ts";
import { DROPPED, isLanguage, SET_ASIDE } from "./variable-families.ts";
import { variableRule } from "./variable-rule.ts";

/** Where a hook's process runs, as its environment variables say. */
export interface HookLocation {
  readonly hookDir: string;
  readonly projectDir: string;
  readonly sessionId: string;
  readonly event: string;
  readonly stateDir: string;
  readonly home: string | undefined;
}

/** A variable that a hook's process does not get, or not as it is. */
export interface OmittedVariable {
  readonly name: string;
  readonly why: string;
  /** It is left out for its length, which its author may not expect. */
  readonly isTooLong?: true;
}

export interface HookEnvironment {
  readonly variables: Record<string, string>;
  readonly omitted: readonly OmittedVariable[];
}

/** A longer variable is not passed on. From 128 KiB on, Linux starts no process with it. */
const LONGEST = 64 * 1024;
/** What exceeds this is not passed on. Linux starts no process with more than about 2 MiB. */
const MOST = 1024 * 1024;
const TOO_MANY = { why: "all variables together are longer than 1 MiB", isTooLong: true } as const;

/**
 * The environment of a hook: this process's, without what looks like a secret, without what steers programs and does not belong to the
 * hook, and with its own location in it. `allowed` are passed on as they are.
 */
export function environmentFor(
  location: HookLocation,
  allowed: readonly string[],
  around: Surroundings,
): HookEnvironment {
  const built = new Building(ownVariables(location, around), allowed, around);
  for (const name of Object.keys(process.env)) built.add(name);
  return built;
}

/** The names that a hook's metadata lets through. */
export function allowedNames(metadata: Readonly<Record<string, unknown>>): readonly string[] {
  const { env } = metadata as { env?: unknown };
  return Array.isArray(env) ? env.filter((name): name is string => typeof name === "string") : [];
}

/** Why a variable is not passed on, or not as it is. */
type Reason = Omit<OmittedVariable, "name">;

class Building implements HookEnvironment {
  readonly variables: Record<string, string> = {};
  readonly omitted: OmittedVariable[] = [];
  readonly #allowed: readonly string[];
  readonly #around: Surroundings;
  #size = 0;

  constructor(own: Readonly<Record<string, string>>, allowed: readonly string[], around: Surroundings) {
    this.#allowed = allowed;
    this.#around = around;
    for (const name in own) this.#note(name, this.#put(name, own[name] ?? ""));
    // Before the others, which may exceed what is left.
    for (const name of allowed) {
      const value = process.env[name] ?? process.env[SET_ASIDE + name];
      if (value !== undefined && !Object.hasOwn(own, name)) this.#note(name, this.#put(name, value));
    }
  }

  add(found: string): void {
    const name = found.startsWith(SET_ASIDE) ? found.slice(SET_ASIDE.length) : found;
    if (name === "" || this.#allowed.includes(name) || Object.hasOwn(this.variables, name)) return;
    if (name === DROPPED) this.#addDropped(process.env[found] ?? "");
    else this.#note(name, this.#take(name, found));
  }

  #take(name: string, found: string): Reason | undefined {
    const rule = variableRule(name);
    if (rule.type === "removed") return { why: `it steers ${rule.steers}` };
    if (rule.type === "secret") return { why: "it looks like a secret" };
    const value = process.env[found];
    if (value === undefined) return undefined;
    switch (rule.type) {
      case "pass":
        return hasCredentials(value) ? { why: "its value has a password in it" } : this.#put(name, value);
      case "language":
        return isLanguage(value) ? this.#put(name, value) : { why: "it names no language" };
      case "path":
        return isFileOutside(value, this.#around)
          ? this.#put(name, value)
          : { why: "it names nothing that exists outside the project" };
      case "path_list": {
        const clean = cleanPathList(value, this.#around.projects);
        const tooLong = clean === "" ? undefined : this.#put(name, clean);
        return (
          tooLong ??
          (clean === value ? undefined : { why: "it loses relative folders and those of the project" })
        );
      }
    }
  }

  /** Returns why it was not put. */
  #put(name: string, value: string): Reason | undefined {
    const size = Buffer.byteLength(name) + Buffer.byteLength(value) + 2;
    if (size > LONGEST) return { why: "it is longer than 64 KiB", isTooLong: true };
    if (this.#size + size > MOST) return TOO_MANY;
    this.#size += size;
    this.variables[name] = value;
    return undefined;
  }

  #addDropped(names: string): void {
    for (const name of names.split(" ").filter(Boolean)) this.#note(name, TOO_MANY);
  }

  #note(name: string, reason: Reason | undefined): void {
    if (reason !== undefined) this.omitted.push({ name, ...reason });
  }
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

/** A variable cannot hold that character, and a hook that cannot be started judges nothing. */
function withoutNul(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}

/** The paths that were found outside the projects of these surroundings. They are looked up once, as PATH is: a hook waits for it. */
const outside = new WeakMap<Surroundings, Set<string>>();

/** Whether a path leads to something outside the projects. */
function isFileOutside(path: string, around: Surroundings): boolean {
  const known = outside.get(around) ?? new Set();
  outside.set(around, known);
  if (known.has(path)) return true;
  if (!isAbsolute(path) || isOfProcess(path) || isInProject(path, around.projects)) return false;
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return false;
  } catch {
    return false;
  }
  known.add(path);
  return true;
}

/** A message for the person about variables that are left out for their length. */
export function lengthNotes({ omitted }: HookEnvironment): readonly string[] {
  const long = omitted.filter(({ isTooLong }) => isTooLong);
  if (long.length === 0) return [];
  const names = long.slice(0, 3).map(({ name }) => name);
  const more = long.length > names.length ? ` and ${long.length - names.length} more` : "";
  return [`it was run without ${names.join(", ")}${more}: ${long[0]?.why}`];
}
