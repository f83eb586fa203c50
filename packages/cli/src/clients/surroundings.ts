import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FileLocation } from "@tenterhook/bridges/install";
import { findLocations } from "@tenterhook/file-hooks";

/** Defined by the bundler. */
declare const TENTERHOOK_VERSION: string;

export const version = (): string => TENTERHOOK_VERSION;

/** The bridge's bundle, beside the command's own files. */
export const bundleFolder = (): string => fileURLToPath(new URL("./bridge", import.meta.url));

/** The location of the clients' files for this user and this folder. */
export function fileLocation(cwd = process.cwd()): FileLocation {
  return { home: process.env.HOME || homedir(), project: findProject(cwd), env: process.env };
}

/** The folder that clients take for the project: the one with hooks, else the repository, else this one. */
function findProject(cwd: string): string {
  const { project } = findLocations(cwd);
  if (project !== undefined && project !== homedir()) return project;
  for (let folder = cwd; dirname(folder) !== folder; folder = dirname(folder))
    if (existsSync(join(folder, ".git"))) return folder;
  return cwd;
}
