import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CooperativeTimer } from "./cooperative-timer.ts";
import { throwIfAborted } from "./failure.ts";

/** Folders that are looked into only by who names them: large, and seldom what is meant. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([".git", "node_modules"]);

export interface WalkOptions {
  /** How many folders deep to go. Default: to the bottom. */
  readonly depth?: number;
  readonly signal: AbortSignal;
}

/**
 * The ordinary files below a folder, hidden ones included, as paths relative to it with forward slashes, in the order
 * of these paths. Links are neither followed nor listed. Folders that may not be read are passed over; when that is the
 * first one, it throws.
 *
 * A glob library would walk where its pattern says: into a link, beside the folder (`../*`), or upwards from a folder
 * that somebody named `x\..\..`. Here no pattern decides where to look, and only what was seen to be a folder is entered.
 */
export async function* filesBelow(
  folder: string,
  { depth = Number.POSITIVE_INFINITY, signal }: WalkOptions,
): AsyncGenerator<string, void, void> {
  const timer = new CooperativeTimer();
  // What is still to visit, the next one last. A folder's path ends with a slash.
  const ahead = await entries(folder, "");
  for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
    if (timer.isDue) await timer.yieldToEventLoop(signal);
    if (!path.endsWith("/")) {
      yield path;
    } else if (depthOf(path) <= depth) {
      throwIfAborted(signal);
      for (const entry of await entries(folder, path).catch(() => [])) ahead.push(entry);
    }
  }
}

/** What a folder contains, last first. With the slash at their end, folders sort as the paths of their files do. */
async function entries(folder: string, path: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, path), { withFileTypes: true })) {
    if (entry.isFile()) found.push(path + entry.name);
    else if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) found.push(`${path}${entry.name}/`);
  }
  return found.sort().reverse();
}

function depthOf(path: string): number {
  return path.split("/").length - 1;
}
