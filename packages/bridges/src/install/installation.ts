import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { findLocations, type Locations } from "@tenterhook/file-hooks";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where an installation keeps what clients start, and what it must know to take everything out again. */
export interface Installation {
  readonly home: string;
  readonly locations: Locations;
  /** Of its own, so that a coordinator's data can be thrown away without it. */
  readonly folder: string;
  /** What clients start. */
  readonly hook: string;
  readonly backups: string;
  /** What was written where. */
  readonly record: string;
}

export function installationFor(cwd: string, env: Environment): Installation {
  const home = env.HOME || homedir();
  const data = env.XDG_DATA_HOME;
  const base =
    data !== undefined && data !== "" && resolve(data) === data ? data : join(home, ".local", "share");
  const folder = join(base, "tenterhook-bridge");
  return {
    home,
    locations: findLocations(cwd, env),
    folder,
    hook: join(folder, process.platform === "win32" ? "hook.cmd" : "hook"),
    backups: join(folder, "backups"),
    record: join(folder, "installed.json"),
  };
}

/** The folders and programs that what a client starts goes by, whatever its environment says. */
export interface Pins {
  readonly node: string;
  /** The bundle's first file. */
  readonly bridge: string;
  readonly home: string;
  readonly configHome: string;
  readonly stateHome: string;
  readonly cacheHome: string;
  /** Searched before whatever else is on the PATH. */
  readonly path: readonly string[];
  /** The language variables as they were; a value that is no language makes Node crash. */
  readonly language: Readonly<Record<string, string | undefined>>;
}

export function pinsFor(
  { home, locations }: Installation,
  bridge: string,
  env: Environment,
  node = process.execPath,
): Pins {
  const language = ["LANG", "LC_ALL", "LC_MESSAGES"].map((name) => [name, languageOf(env[name])] as const);
  return {
    node,
    bridge,
    home,
    configHome: dirname(dirname(locations.userHooks)),
    stateHome: dirname(locations.state),
    cacheHome: dirname(locations.cache),
    path: lastingFolders(env.PATH ?? "", locations.cwd),
    language: Object.fromEntries(language),
  };
}

/** The folders of a PATH that will be there tomorrow and belong to no project: npx and npm put theirs in front. */
function lastingFolders(path: string, cwd: string): readonly string[] {
  const isLasting = (folder: string) =>
    resolve(folder) === folder &&
    !/[\\/](?:node_modules|_npx|node-gyp-bin)(?:[\\/]|$)/.test(folder) &&
    !`${folder}/`.startsWith(`${cwd}/`);
  const folders = path.split(process.platform === "win32" ? ";" : ":").filter(isLasting);
  return [...new Set(folders)];
}

function languageOf(value: string | undefined): string | undefined {
  return value !== undefined && /^[A-Za-z0-9_.@-]{1,40}$/.test(value) ? value : undefined;
}
