import { basename, dirname, join, resolve } from "node:path";
import { readPlainFile, realPath } from "@tenterhook/internal/files";

/** A `.git` file is one line. */
const LONGEST = 4_096;

/**
 * The root of the repository that a folder is a linked worktree of; `undefined` for any other folder. Both must name each other: a
 * `.git` file alone could be written by anyone.
 */
export function mainWorktreeOf(folder: string): string | undefined {
  const [, linked] = /^gitdir: (.+)$/m.exec(firstLine(join(folder, ".git")) ?? "") ?? [];
  if (linked === undefined) return undefined;
  const own = resolve(folder, linked);
  const back = firstLine(join(own, "gitdir"));
  if (back === undefined || realPath(resolve(own, back)) !== realPath(join(folder, ".git"))) return undefined;
  const shared = realPath(resolve(own, firstLine(join(own, "commondir")) ?? "../.."));
  return basename(shared) === ".git" ? dirname(shared) : undefined;
}

function firstLine(file: string): string | undefined {
  try {
    const text = readPlainFile(file);
    return text.length > LONGEST ? undefined : text.split("\n")[0]?.trim();
  } catch {
    return undefined;
  }
}
