import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { messageOf, withoutBom } from "@tenterhook/internal";
import { isInside, readPlainFile } from "@tenterhook/internal/files";
import type { Client } from "../definition/client.ts";
import type { Configuration, ConfigurationFile } from "../definition/configuration.ts";
import { installedEvents } from "./entry.ts";

export type InstallScope = "user" | "project";

/** A configuration file of a client, for entries of ours. */
export interface ClientFile {
  readonly file: ConfigurationFile;
  /** As the client finds it. */
  readonly path: string;
  /** For files that contain one event each. */
  readonly event?: string;
}

export interface FileLocation {
  readonly home: string;
  /** The project's folder, for the project's files. */
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The files for a scope: for a project the person's own, where the client has one. */
export function clientFiles(
  { configuration, ...client }: Client,
  scope: InstallScope,
  at: FileLocation,
): readonly ClientFile[] {
  const { files } = configuration;
  const file =
    scope === "user"
      ? files.find((each) => each.scope === "user")
      : (files.find((each) => each.scope === "project-local") ??
        files.find((each) => each.scope === "project"));
  if (file === undefined) return [];
  const path = filePath(file, at);
  if (file.format !== "script") return [{ file, path }];
  return installedEvents({ configuration, ...client }).map(([event]) => ({
    file,
    event,
    path: path.replace("$event", event),
  }));
}

/** The path of a client's file. An environment variable of the client may name another folder. */
export function filePath({ path, scope, home }: ConfigurationFile, at: FileLocation): string {
  if (scope !== "user") return join(at.project, path);
  const named = home === undefined ? "" : (at.env[home.variable] ?? "");
  if (home === undefined || !isAbsolute(named)) return join(at.home, path);
  return join(named, home.replaces === "" ? path : relative(home.replaces, path));
}

/** Where a path of a client's configuration is for this user and this project. */
export function configurationPaths(
  { files }: Configuration,
  path: string,
  at: FileLocation,
): readonly string[] {
  const own = files.find(({ scope, home }) => scope === "user" && isBelow(path, home?.replaces));
  return [own === undefined ? join(at.home, path) : filePath({ ...own, path }, at), join(at.project, path)];
}

function isBelow(path: string, folder = ""): boolean {
  return folder === "" || path.startsWith(`${folder}/`);
}

/** The folder that a client makes for itself in the home. */
export function clientFolder({ configuration }: Client, at: FileLocation): string | undefined {
  const file = configuration.files.find(({ scope }) => scope === "user");
  if (file === undefined) return undefined;
  const parts = file.path.split("/");
  const depth = parts[0] === ".config" ? 2 : 1;
  const path = filePath(file, at);
  return path
    .split(sep)
    .slice(0, path.split(sep).length - (parts.length - depth))
    .join(sep);
}

/** What a file contains now. */
export interface FoundFile {
  /** Without symbolic links: what is written to. */
  readonly target: string;
  /** Absent when there is no file. */
  readonly text?: string;
  readonly mode?: number;
}

const MAX_BYTES = 16 * 1_048_576;

/** Reads a file before it is changed; returns a sentence when it must not be changed. */
export function findFile(
  path: string,
  { home, project, env }: FileLocation,
  named?: string,
): FoundFile | string {
  try {
    const roots = [home, project, ...(named !== undefined && env[named] ? [env[named] ?? ""] : [])];
    const target = withoutLinks(path);
    if (!roots.some((root) => isInside(target, realFolder(root))))
      return `a symbolic link leads to ${target}, outside your home and the project`;
    const stats = statSync(target, { throwIfNoEntry: false });
    if (stats === undefined) return { target };
    const problem = findProblem(stats);
    if (problem !== undefined) return problem;
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(target));
    return { target, text, mode: stats.mode & 0o7777 };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return "it is no UTF-8 text";
    if (code === "EACCES" || code === "EPERM") return "you have no permission to read it";
    if (code === "ENOTDIR") return "a part of its path is a file, not a folder";
    if (code === "ELOOP") return "its symbolic links lead in a circle";
    return messageOf(error);
  }
}

function findProblem(stats: Stats): string | undefined {
  if (stats.isDirectory()) return "there is a folder in its place";
  if (!stats.isFile()) return "it is no ordinary file";
  if ((stats.mode & 0o200) === 0) return "it is read-only";
  return stats.size > MAX_BYTES ? "it is larger than any configuration" : undefined;
}

/** A path without symbolic links; the part that does not exist yet is kept. */
function withoutLinks(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return realpathSync(path);
  return join(realFolder(dirname(path)), basename(path));
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isDangling = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (code !== "ENOENT" || isDangling || dirname(folder) === folder) throw error;
    return join(realFolder(dirname(folder)), basename(folder));
  }
}

/** The text of a file, without a byte order mark; `undefined` when it cannot be read, or is a device or a pipe. */
export function fileText(path: string): string | undefined {
  try {
    return withoutBom(readPlainFile(path));
  } catch {
    return undefined;
  }
}
