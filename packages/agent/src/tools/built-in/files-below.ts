import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CooperativeTimer } from "./cooperative-timer.ts";
import { throwIfAborted } from "./failure.ts";

/** Folders that are skipped unless the path starts in them: they are large and rarely wanted. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([".git", "node_modules"]);

export interface WalkOptions {
  /** The maximum depth. Default: unlimited. */
  readonly depth?: number;
  readonly signal: AbortSignal;
}

/**
 * The regular files below a folder, hidden ones included, as relative paths with forward slashes, in the order of these paths. Links
 * are neither followed nor listed. Unreadable folders are skipped; if the first one is unreadable, it throws.
 *
 * A glob library would follow its pattern: into a link, out of the folder (`../*`), or upwards from a folder that is named
 * `x\..\..`. Here the pattern does not control the walk, and only real folders are entered.
 */
export async function* filesBelow(
  folder: string,
  { depth = Number.POSITIVE_INFINITY, signal }: WalkOptions,
): AsyncGenerator<string, void, void> {
  const timer = new CooperativeTimer();
  // The paths to visit, as a stack. A folder's path ends with a slash.
  const ahead = await entries(folder, "");
  for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
    if (timer.isDue) await timer.yieldToEventLoop(signal);
    if (!path.endsWith("/")) {
      yield path;
    } else if (countLevels(path) <= depth) {
      throwIfAborted(signal);
      for (const entry of await entries(folder, path).catch(() => [])) ahead.push(entry);
    }
  }
}

/** The entries of a folder in reverse order. With the slash at the end, folders sort like the paths of their files. */
async function entries(folder: string, path: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, path), { withFileTypes: true })) {
    if (entry.isFile()) found.push(path + entry.name);
    else if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) found.push(`${path}${entry.name}/`);
  }
  return found.sort().reverse();
}

function countLevels(path: string): number {
  return path.split("/").length - 1;
}
