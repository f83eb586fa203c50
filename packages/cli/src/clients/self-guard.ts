import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { loadClients } from "@tenterhook/bridges/clients";
import {
  configurationPaths,
  type FileLocation,
  installationFor,
  makeForHomeOwner,
} from "@tenterhook/bridges/install";
import { HOOK_FILE, hookFileIn, LOWER_CASE_HOOK_FILE } from "@tenterhook/file-hooks/discover";
import { replacePlainFile } from "@tenterhook/internal/files";
import { formatPath } from "../format-hook.ts";
import { green } from "../terminal.ts";

const NAME = "guard-hooks";
/** The hook in the bundle. */
const SOURCE = fileURLToPath(new URL(`./${NAME}/`, import.meta.url));

export interface GuardPlan {
  readonly folder: string;
  readonly isNew: boolean;
  readonly question: string;
  readonly guarded: GuardedPaths;
}

/** What the hook guards. A folder stands for everything in it. */
export interface GuardedPaths {
  /** Absolute paths. */
  readonly folders: readonly string[];
  /** Paths that are guarded in every project and in the home. */
  readonly paths: readonly string[];
}

/** The plan of a hook that refuses agents' changes to hooks, trust, cache and the clients' own files. */
export async function guardPlan(at: FileLocation): Promise<GuardPlan> {
  const installation = installationFor(process.cwd(), at.env);
  const { userHooks, state, cache } = installation.locations;
  const folder = join(userHooks, NAME);
  const configurations = (await loadClients()).map(({ configuration }) => configuration);
  // A variable of the client may have moved its folder.
  const moved = configurations
    .flatMap((each) =>
      each.guarded.map((path) => [path, configurationPaths(each, path, at)[0] ?? ""] as const),
    )
    .filter(([path, found]) => found !== join(at.home, path))
    .map(([, found]) => found);
  return {
    folder,
    isNew: !existsSync(hookFileIn(folder)),
    question: `Also keep agents from changing your hooks, what you trust, and these entries? A hook does that: ${formatPath(folder)}`,
    guarded: {
      folders: [dirname(userHooks), state, cache, installation.folder, ...moved],
      paths: [".agents/hooks", ...configurations.flatMap(({ guarded }) => guarded)],
    },
  };
}

/** Writes the hook; an existing one may have been edited by the user and is kept. Returns what was done, as a sentence. */
export function writeGuard({ folder, isNew, guarded }: GuardPlan): string {
  if (!isNew) return `${formatPath(folder)} exists already and is not changed.`;
  const scripts = join(folder, "scripts");
  makeForHomeOwner(homedir(), scripts);
  for (const name of readdirSync(join(SOURCE, "scripts")))
    write(join(scripts, name), findSource(join("scripts", name)));
  write(join(scripts, "guarded.json"), json(guarded));
  const pattern = JSON.stringify(formatPattern(guarded));
  // It is written last: before it, there is no hook.
  write(
    join(folder, HOOK_FILE),
    findSource(HOOK_FILE).replace("PATTERN", () => pattern),
  );
  return green(`Written: ${formatPath(folder)}`);
}

function findSource(name: string): string {
  return readFileSync(join(SOURCE, name), "utf8");
}

function write(path: string, text: string): void {
  try {
    replacePlainFile(path, text);
  } catch (error) {
    // That of a full disk does not name the file.
    throw Object.assign(error as Error, { path });
  }
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/**
 * Matches what names guarded paths, or the folders that they stand in. Words alone are searched without the pattern engine; it is needed
 * where file systems ignore the case.
 */
function formatPattern({ folders, paths }: GuardedPaths): string {
  const words = new Set([
    "tenterhook",
    HOOK_FILE,
    LOWER_CASE_HOOK_FILE,
    "hooks.toml",
    "agents/hooks",
    ...paths.map((path) => basename(dirname(path))),
    // They may be named alone, by an agent that has gone into their folder.
    ...paths.map((path) => basename(path)).filter((name) => name.includes(".")),
    ...folders.map((path) => `${basename(dirname(path))}/${basename(path)}`),
    // The folders of the home that they stand in, such as `/.config`.
    ...folders
      .flatMap((path) => /^\.?[^./\\][^/\\]*(?=[/\\])/.exec(relative(homedir(), path)) ?? [])
      .map((name) => `/${name}`),
  ]);
  const flags = process.platform === "linux" ? "" : "(?i)";
  return flags + [...words].map((word) => word.replace(/[^\w/-]/g, "\\$&")).join("|");
}
