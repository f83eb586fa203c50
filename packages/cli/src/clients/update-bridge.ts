import { loadClients } from "@tenterhook/bridges";
import { install, installationFor, installedEnvironment, readRecord } from "@tenterhook/bridges/install";
import { bundleFolder, fileLocation, version } from "./surroundings.ts";

/**
 * Gives coding agents the bridge of this version, if one is installed: an older one would not understand what newer rules say. That of a
 * newer version stays.
 */
export async function updateBridge(): Promise<void> {
  const cwd = process.cwd();
  const at = fileLocation();
  const env = installedEnvironment(await loadClients(), cwd, process.env, at);
  const { files, tenterhook } = readRecord(installationFor(cwd, env).record);
  const isNewer = tenterhook.localeCompare(version(), "en", { numeric: true }) > 0;
  if (files.length === 0 || isNewer) return;
  const options = {
    scope: "user",
    cwd,
    project: at.project,
    bundle: bundleFolder(),
    version: version(),
  } as const;
  await install({ ...options, clients: [], env });
}
