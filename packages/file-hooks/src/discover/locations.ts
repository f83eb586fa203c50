import { mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isFolder, realPath } from "@tenterhook/internal/files";

/** Whether a hook belongs to the user or to the project. */
export type HookScope = "user" | "project";

/** The folders that hooks are found in, and where state and cache are kept. */
export interface Locations {
  readonly cwd: string;
  readonly home: string;
  readonly userHooks: string;
  /** The folder that contains `.agents`, found upward from the working directory. */
  readonly project: string | undefined;
  readonly projectHooks: string | undefined;
  /** Trust, audit trail and session folders. */
  readonly state: string;
  readonly cache: string;
}

/** The locations for a working directory, by the XDG rules. */
export function findLocations(cwd: string, env: Environment = process.env): Locations {
  const home = env.HOME || homedir();
  const base = (name: string, fallback: string) => absolute(env[name]) ?? join(home, fallback);
  // Without symbolic links: a project is the same one, by whichever path it is reached.
  const real = realPath(cwd);
  const written = resolve(cwd);
  const found = findProject(real) ?? (written === real ? undefined : findProject(written));
  const project = found === undefined ? undefined : realPath(found);
  return {
    cwd: written,
    home,
    userHooks: join(base("XDG_CONFIG_HOME", ".config"), "agents", "hooks"),
    project,
    projectHooks: project === undefined ? undefined : join(project, ".agents", "hooks"),
    state: join(base("XDG_STATE_HOME", join(".local", "state")), "tenterhook"),
    cache: join(base("XDG_CACHE_HOME", ".cache"), "tenterhook"),
  };
}

/** The hooks roots of the projects that a project lies in. */
export function outerHooks(project: string | undefined): readonly string[] {
  const roots: string[] = [];
  for (let inner = project; inner !== undefined && dirname(inner) !== inner; ) {
    const outer = findProject(dirname(inner));
    if (outer !== undefined) roots.push(join(outer, ".agents", "hooks"));
    inner = outer;
  }
  return roots;
}

/** XDG: a relative path in one of its variables counts as unset. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && path !== "" && resolve(path) === path ? path : undefined;
}

function findProject(cwd: string): string | undefined {
  for (let folder = cwd; ; ) {
    if (isFolder(join(folder, ".agents", "hooks"))) return folder;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

/** The environment that hooks inherit from: that of this process, or another one that the host gives. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The temporary folders that were made, by the environment that they were made for and by what each stands for. */
const made = new Map<Environment, Map<string, string>>();

/**
 * The temporary folder that stands for one which cannot be written. It exists until `removeTemporary`, at the latest until this process
 * exits. Throws when it cannot be made.
 */
export function temporaryFor(folder: string, prefix: string, env: Environment): string {
  const folders = made.get(env) ?? new Map<string, string>();
  const known = folders.get(folder);
  if (known !== undefined) return known;
  const temporary = mkdtempSync(join(temporaryBase(env), prefix));
  if (made.size === 0) process.once("exit", removeAll);
  made.set(env, folders.set(folder, temporary));
  return temporary;
}

/** Removes the temporary folders of a call that has ended. */
export function removeTemporary(env: Environment): void {
  const folders = made.get(env);
  if (folders === undefined) return;
  made.delete(env);
  if (made.size === 0) process.removeListener("exit", removeAll);
  for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
}

function removeAll(): void {
  for (const env of [...made.keys()]) removeTemporary(env);
}

/** As `tmpdir()` of a process with this environment. */
function temporaryBase(env: Environment): string {
  if (process.platform === "win32" || env === process.env) return tmpdir();
  const named = env.TMPDIR || env.TMP || env.TEMP || "/tmp";
  return named.length > 1 && named.endsWith("/") ? named.slice(0, -1) : named;
}
