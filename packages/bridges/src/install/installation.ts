import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { findLocations, type Locations } from "@tenterhook/file-hooks";
import { isLanguage, LANGUAGES } from "@tenterhook/file-hooks/run";

type Environment = Readonly<Record<string, string | undefined>>;

/** The files of an installation: the hook that clients start, and the record that uninstalling needs. */
export interface Installation {
  readonly home: string;
  readonly locations: Locations;
  /** Apart from a coordinator's data, which can be deleted without it. */
  readonly folder: string;
  /** The hook that clients start. */
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

/** The folders and programs that the hook uses, whatever the client's environment is. */
export interface Pins {
  readonly node: string;
  /** The bundle's first file. */
  readonly bridge: string;
  readonly home: string;
  readonly configHome: string;
  readonly stateHome: string;
  readonly cacheHome: string;
  /** Searched before the rest of the PATH. */
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
  const language = LANGUAGES.map((name) => [name, readLanguage(env[name])] as const);
  return {
    node,
    bridge,
    home,
    configHome: dirname(dirname(locations.userHooks)),
    stateHome: dirname(locations.state),
    cacheHome: dirname(locations.cache),
    path: permanentFolders(env.PATH ?? "", locations.cwd),
    language: Object.fromEntries(language),
  };
}

/** The folders of a PATH that are permanent and belong to no project: npx and npm put temporary ones in front. */
function permanentFolders(path: string, cwd: string): readonly string[] {
  const isPermanent = (folder: string) =>
    resolve(folder) === folder &&
    !/[\\/](?:node_modules|_npx|node-gyp-bin)(?:[\\/]|$)/.test(folder) &&
    !`${folder}/`.startsWith(`${cwd}/`);
  const folders = path.split(process.platform === "win32" ? ";" : ":").filter(isPermanent);
  return [...new Set(folders)];
}

function readLanguage(value: string | undefined): string | undefined {
  return value !== undefined && isLanguage(value) ? value : undefined;
}
