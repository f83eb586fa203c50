import { homedir } from "node:os";
import { relative, sep } from "node:path";
import type { HookFile } from "@tenterhook/protocol";
import { type FileMatcher, listMatchers } from "@tenterhook/protocol/internal";

/** A hook's matcher as text; empty when it matches everything. */
export function formatMatcher(hook: Pick<HookFile, "matcher">): string {
  const texts = listMatchers(hook)?.map(formatOneMatcher) ?? [];
  return texts.includes("") ? "" : texts.join(" | ");
}

function formatOneMatcher({
  tool,
  pattern,
  effect,
  path,
  notPath,
  host,
  unknown,
  unreadable,
}: FileMatcher): string {
  const fields = { tool, pattern, effect, path, not_path: notPath, host, unknown, unreadable };
  return Object.entries(fields)
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${[value].flat().join(" ")}`]))
    .join(", ");
}

/** The shortest form of a path, relative to a folder or to the home folder. */
export function formatPath(path: string, from: string = process.cwd()): string {
  const short = relative(from, path);
  if (short === "") return ".";
  if (!short.startsWith("..")) return short;
  return fullPath(path);
}

/** A whole path; below the home folder it begins with `~`. */
export function fullPath(path: string): string {
  const home = homedir();
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
