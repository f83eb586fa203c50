import { environmentWithoutSecrets } from "@tenterhook/engine/process";
import { cleanPathList, type Surroundings } from "./surroundings.ts";

/** Where a hook's process runs, as its environment variables say. */
export interface HookLocation {
  readonly hookDir: string;
  readonly projectDir: string;
  readonly sessionId: string;
  readonly event: string;
  readonly stateDir: string;
}

/** Variables that make an interpreter, a shell or the loader run something before the script, or instead of it. */
const PRELOADING =
  /^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|BASH_FUNC_.*|PS4|NODE_OPTIONS|PYTHONSTARTUP|PYTHONHOME|PYTHONINSPECT|PERL5OPT|PERL5DB|RUBYOPT|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS)$/;

/** Lists of folders that code is loaded from; folders of the project are taken out of them. */
const PATH_LISTS = [
  "NODE_PATH",
  "PYTHONPATH",
  "PERL5LIB",
  "PERLLIB",
  "RUBYLIB",
  "LD_LIBRARY_PATH",
  "DYLD_LIBRARY_PATH",
  "DYLD_FALLBACK_LIBRARY_PATH",
] as const;

/**
 * The environment of a hook: this process's, without what looks like a secret, without what would load code that does not
 * belong to the hook, and with its own location in it.
 */
export function environmentFor(
  location: HookLocation,
  allowed: readonly string[],
  around: Surroundings,
): Record<string, string> {
  const isPosix = process.platform !== "win32";
  const env = environmentWithoutSecrets(allowed, process.env, isPosix ? isPreloading : undefined);
  if (isPosix) cleanPaths(env, allowed, around);
  env.TENTERHOOK_HOOK_DIR = location.hookDir;
  env.TENTERHOOK_PROJECT_DIR = withoutNul(location.projectDir);
  env.TENTERHOOK_SESSION_ID = withoutNul(location.sessionId);
  env.TENTERHOOK_EVENT = location.event;
  env.TENTERHOOK_STATE_DIR = location.stateDir;
  return env;
}

/** A variable cannot hold that character, and a hook that cannot be started judges nothing. */
function withoutNul(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}

/** The names that a hook's metadata lets through: a hook that needs a secret lists it under `metadata.env`. */
export function allowedNames(metadata: Readonly<Record<string, unknown>>): readonly string[] {
  const { env } = metadata as { env?: unknown };
  return Array.isArray(env) ? env.filter((name): name is string => typeof name === "string") : [];
}

function cleanPaths(
  env: Record<string, string>,
  allowed: readonly string[],
  { path, projects }: Surroundings,
): void {
  for (const name of PATH_LISTS) {
    const list = env[name];
    if (list === undefined || allowed.includes(name)) continue;
    const clean = cleanPathList(list, projects);
    if (clean === "") delete env[name];
    else env[name] = clean;
  }
  env.PATH = path;
}

// The same names come with every process.
const judged = new Map<string, boolean>();

function isPreloading(name: string): boolean {
  let isOne = judged.get(name);
  if (isOne === undefined) {
    isOne = PRELOADING.test(name);
    judged.set(name, isOne);
  }
  return isOne;
}
