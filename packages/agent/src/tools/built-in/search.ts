import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { compilePattern, type Match, type Pattern, PatternBudget } from "@tenterhook/engine/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { pathFailure, throwIfAborted } from "./built-in-tool.ts";

/** Folders that are skipped unless the path starts in them: they are large and rarely wanted. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([".git", "node_modules"]);

/**
 * The regular files below a folder, hidden ones included, as relative paths with forward slashes, in the order of these paths. Links
 * are neither followed nor listed. Unreadable folders are skipped; if the first one is unreadable, it throws. `depth` limits the
 * levels of folders.
 *
 * A glob library would follow its pattern: into a link, out of the folder (`../*`), or upwards from a folder that is named
 * `x\..\..`. Here the pattern does not control the walk, and only real folders are entered.
 */
export async function* filesBelow(
  folder: string,
  signal: AbortSignal,
  depth = Number.POSITIVE_INFINITY,
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

/** How long a tool may block the event loop. */
const MAX_BLOCKING_MS = 15;

/** Measures how long a tool has blocked the event loop, so that a large search can yield in time. */
export class CooperativeTimer {
  #since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#since > MAX_BLOCKING_MS;
  }

  /** Waits for the next tick of the event loop; throws if the call was cancelled. */
  async yieldToEventLoop(signal: AbortSignal): Promise<void> {
    await nextTick();
    throwIfAborted(signal);
    this.#since = performance.now();
  }
}

/** The limit of one search: a linear-time search of a line with megabytes still takes long. */
const SEARCH_MS = 50;

/** Whether a text matches; `unknown` after the time limit. */
export type TextSearch = (text: string) => Match;

/**
 * Compiles a model's regular expression for the linear-time engine. Throws `bad_tool_input`, with `what` as the pattern's name.
 */
export function textSearch(source: string, flags: string, what: string): TextSearch {
  const pattern = compiled(source, flags, what);
  return (text) => pattern.search(text, new PatternBudget(SEARCH_MS));
}

function compiled(source: string, flags: string, what: string): Pattern {
  try {
    return compilePattern(source, flags);
  } catch (cause) {
    const isUnsupported = TenterhookError.isInstance(cause) && cause.code === "unsupported_pattern";
    const hint = isUnsupported
      ? "Patterns run on a linear-time engine: write it without look-around and back-references."
      : "Check its brackets and quantifiers.";
    throw new TenterhookError("bad_tool_input", `${what} cannot be used.`, { hint, cause });
  }
}

/** Whether a real path is a folder; `path` names it in the error. */
export async function isFolder(real: string, path: string): Promise<boolean> {
  try {
    return (await stat(real)).isDirectory();
  } catch (error) {
    throw pathFailure(error, path);
  }
}
