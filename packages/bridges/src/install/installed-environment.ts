import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "../definition/client.ts";
import { clientFiles, type FileLocation, fileText } from "./client-files.ts";
import { readRecord } from "./install-record.ts";
import { type Installation, installationFor } from "./installation.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment with the XDG variables that an installation was made with. Another shell, or a desktop, may not set them, or set
 * others: then the clients' entries name the installation's folder, and the record in it has the rest.
 */
export function installedEnvironment(
  clients: readonly Client[],
  cwd: string,
  env: Environment,
  at: FileLocation,
): Environment {
  const named = installationFor(cwd, env);
  const data = isInstalled(named)
    ? undefined
    : clients.flatMap((client) => dataHomes(client, at)).find(containsHook);
  const found = data === undefined ? env : { ...env, XDG_DATA_HOME: data };
  const { folders } = readRecord(installationFor(cwd, found).record);
  if (folders === undefined) return found;
  return {
    ...found,
    XDG_CONFIG_HOME: folders.config,
    XDG_STATE_HOME: folders.state,
    XDG_CACHE_HOME: folders.cache,
  };
}

/** The folders that an installation's own variables name, for its record. */
export function recordedFolders({ locations }: Installation): {
  readonly config: string;
  readonly state: string;
  readonly cache: string;
} {
  return {
    config: dirname(dirname(locations.userHooks)),
    state: dirname(locations.state),
    cache: dirname(locations.cache),
  };
}

function isInstalled({ hook, record }: Installation): boolean {
  return existsSync(hook) || existsSync(record);
}

/** The data folders that a client's entries name. */
function dataHomes(client: Client, at: FileLocation): readonly string[] {
  return (["user", "project"] as const)
    .flatMap((scope) => clientFiles(client, scope, at))
    .flatMap(({ path }) => /(\/[^"'\n]*)\/tenterhook-bridge\/hook/.exec(fileText(path) ?? "")?.[1] ?? []);
}

function containsHook(data: string): boolean {
  return existsSync(join(data, "tenterhook-bridge", "hook"));
}
