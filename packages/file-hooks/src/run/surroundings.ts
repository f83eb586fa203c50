import { accessSync, constants, existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { isInside, realPath } from "@tenterhook/internal/files";
import type { Environment } from "../discover/locations.ts";

/**
 * The folders that an agent works in, which are outside the hook's own. A program from there could be anything, so a hook is
 * neither run by one nor finds one on its PATH.
 */
export interface Surroundings {
  /** Project folders, as they are written and without symbolic links. */
  readonly projects: readonly string[];
  /** PATH without relative entries and without folders of the projects. */
  readonly path: string;
}

const allKnown = new WeakMap<Environment, Map<string, Surroundings>>();

/** The surroundings of a hook that runs for these folders. `env` has its PATH and the user's home; default: that of this process. */
export function surroundingsOf(folders: readonly string[], env: Environment = process.env): Surroundings {
  const known = allKnown.get(env) ?? new Map<string, Surroundings>();
  allKnown.set(env, known);
  const { PATH: path = "" } = env;
  const key = JSON.stringify([folders, path]);
  let found = known.get(key);
  if (found === undefined) {
    const projects = [...new Set(folders.flatMap(withRepository))].filter(
      (folder) => !containsOwnPrograms(folder, env),
    );
    found = { projects, path: cleanPathList(path, projects) };
    // Working directories come and go; the list must not grow without limit.
    if (known.size >= 100) known.clear();
    known.set(key, found);
  }
  return found;
}

/** A list of folders such as PATH, without relative and empty entries and without folders of the projects. */
export function cleanPathList(list: string, projects: readonly string[]): string {
  return list
    .split(delimiter)
    .filter(
      (entry) =>
        isAbsolute(entry) && !isOfProcess(entry) && !isInProject(entry, projects) && !isPackageFolder(entry),
    )
    .join(delimiter);
}

/** Whether a path is in a project, as it is written or with its links resolved. */
export function isInProject(path: string, projects: readonly string[]): boolean {
  if (projects.length === 0) return false;
  if (projects.some((project) => isInside(path, project))) return true;
  const real = realPath(path);
  return projects.some((project) => isInside(real, project));
}

/** Whether a path means another file in another process, such as its working directory. */
export function isOfProcess(path: string): boolean {
  return /^\/(?:proc|dev)(?:\/|$)/.test(resolve(path));
}

/** The program of a name, as a shell would find it; always absolute. */
export function findProgram(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find(isExecutableFile);
}

export function isExecutableFile(path: string): boolean {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    // Root may execute everything, as far as access() is concerned; the mode bits decide.
    if (stats === undefined || !stats.isFile() || (stats.mode & 0o111) === 0) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A folder, without symbolic links too, and the repository that it is part of. */
function withRepository(folder: string): readonly string[] {
  const real = realPath(folder);
  const found = [resolve(folder), real];
  for (let current = real; dirname(current) !== current; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return [...found, current];
  }
  return found;
}

/** A project that contains the home folder or the system's programs cannot be kept apart from them. */
function containsOwnPrograms(folder: string, env: Environment): boolean {
  const home = env === process.env ? homedir() : env.HOME || homedir();
  return [home, "/bin", "/usr/bin"].some((own) => isInside(own, folder) || isInside(realPath(own), folder));
}

/** npm puts these on the PATH, one for every folder upward. */
function isPackageFolder(entry: string): boolean {
  return resolve(entry).endsWith(`${sep}node_modules${sep}.bin`);
}
