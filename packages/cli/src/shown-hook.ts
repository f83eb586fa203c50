import { homedir } from "node:os";
import { relative, sep } from "node:path";
import type { HookFile } from "@tenterhook/protocol";

/** A hook's matcher in words; empty when it matches everything. */
export function shownMatcher({ matcher }: Pick<HookFile, "matcher">): string {
  const { tool, pattern } = matcher ?? {};
  return [tool === undefined ? "" : `tool: ${tool}`, pattern === undefined ? "" : `pattern: ${pattern}`]
    .filter(Boolean)
    .join(", ");
}

/** A path as short as it can be said from here. */
export function shownPath(path: string, from: string = process.cwd()): string {
  const way = relative(from, path);
  if (way === "") return ".";
  if (!way.startsWith("..")) return way;
  const home = homedir();
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
