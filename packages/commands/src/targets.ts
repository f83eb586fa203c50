import type { CommandFiles, NameTarget, PathTarget } from "./effects.ts";
import { ANY_FOLDERS, isGlob, isKnown, UNKNOWN, written } from "./values.ts";

/** What a path in a line is seen from. */
export interface PathPlace {
  /** A value: `cd $x` leads to an unknown folder. */
  readonly folder: string;
  readonly files: CommandFiles | undefined;
  /** Paths that the same line created. */
  readonly made: ReadonlySet<string>;
  /** Where paths lead to that the same line made. */
  readonly links?: ReadonlyMap<string, string>;
}

const UNKNOWN_PARTS = /[\uE000-\uE00F]+/g;
/** `C:\x` and `\\server\x`, as bash on Windows gets them. */
const DRIVE = /^[A-Za-z]:(?:[/\\]|$)/;

/** Systems refuse longer paths, so nothing can be said about one. */
const MAX_PATH = 4_096;

/** The path that a value names. */
export function pathTarget(value: string, place: PathPlace): PathTarget {
  const absolute = value.length > MAX_PATH ? UNKNOWN : absoluteValue(value, place.folder);
  const isAnchored = absolute.startsWith("/") || DRIVE.test(absolute);
  const known = isKnown(absolute) ? "known" : isAnchored ? "folder" : "unknown";
  const path = isAnchored ? patternOf(absolute) : `**${patternOf(absolute.replace(/^[^/]*/, ""))}`;
  const glob = isGlob(absolute);
  return {
    type: "path",
    path,
    resolved:
      known === "unknown"
        ? path
        : resolve(linked(path, place.links), glob || known === "folder", place.files),
    known,
    isGlob: glob,
    isMade: known === "known" && isMade(path, place.made),
  };
}

export function nameTarget(type: "host" | "name", value: string): NameTarget {
  return { type, name: written(value), known: isKnown(value) ? "known" : "unknown" };
}

/** Joined with the folder and normalised, still a value. */
export function absoluteValue(value: string, folder: string): string {
  const joined =
    value.startsWith("/") || DRIVE.test(value) || !isKnown(value[0] ?? "") ? value : `${folder}/${value}`;
  const isAbsolute = joined.startsWith("/");
  const segments: string[] = [];
  for (const segment of joined.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return (isAbsolute ? "/" : "") + segments.join("/");
}

function patternOf(absolute: string): string {
  return absolute
    .replaceAll("\\", "/")
    .replaceAll(ANY_FOLDERS, "**")
    .replace(UNKNOWN_PARTS, "*")
    .replace(/[\uE010-\uE012]/g, (each) => written(each));
}

/** Of a pattern, the links of the folder before its first wildcard are followed. */
function resolve(path: string, isPattern: boolean, files: CommandFiles | undefined): string {
  if (files?.realPath === undefined) return path;
  const wildcard = isPattern ? path.search(/[*?[]/) : -1;
  const end = wildcard < 0 ? path.length : path.lastIndexOf("/", wildcard);
  return (files.realPath(path.slice(0, end) || "/") ?? path.slice(0, end)) + path.slice(end);
}

function linked(path: string, links: ReadonlyMap<string, string> | undefined): string {
  for (const [from, to] of links ?? [])
    if (path === from || path.startsWith(`${from}/`)) return to + path.slice(from.length);
  return path;
}

function isMade(path: string, made: ReadonlySet<string>): boolean {
  if (made.size === 0) return false;
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
    if (made.has(path.slice(0, end))) return true;
  return false;
}
