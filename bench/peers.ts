import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const FOLDER = fileURLToPath(new URL("../peers/", import.meta.url));

/**
 * Loads a peer that is not installed with the project, and installs all of them the first time. They ask for a newer Node than the
 * project does, so `npm ci` of the project would warn about them; they do work with ours.
 */
export async function loadPeer<T>(name: string): Promise<T> {
  if (!existsSync(join(FOLDER, "node_modules", name))) {
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    execFileSync(npm, ["ci", "--silent", "--no-workspaces"], {
      cwd: FOLDER,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  const entry = createRequire(join(FOLDER, "package.json")).resolve(name);
  return (await import(pathToFileURL(entry).href)) as T;
}
