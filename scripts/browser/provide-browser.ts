import { spawnSync } from "node:child_process";
import { findBrowser, NoBrowserError } from "./find-browser.ts";
import { readSurroundings, type Surroundings } from "./surroundings.ts";

/**
 * Finds the browser as `findBrowser` does, and installs Debian's if there is none and this user may. Returns its path. Throws an error that
 * says what to install otherwise.
 */
export async function provideBrowser(surroundings: Surroundings = readSurroundings()): Promise<string> {
  try {
    return await findBrowser(surroundings);
  } catch (error) {
    if (!(error instanceof NoBrowserError) || surroundings.platform !== "linux") throw error;
    if (surroundings.uid !== 0) throw new Error(`${error.message} Only root can install it from here.`);
    aptGet(["update"], surroundings, error);
    const install = (name: string) =>
      aptGet(["install", "-y", "--no-install-recommends", name], surroundings, error);
    try {
      install("chromium-headless-shell");
    } catch {
      // Earlier versions of Debian do not have it.
      install("chromium");
    }
    return findBrowser(surroundings);
  }
}

function aptGet(args: readonly string[], { env }: Surroundings, missing: NoBrowserError): void {
  const { error, status } = spawnSync("apt-get", ["-qq", ...args], {
    env: { ...env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (error !== undefined)
    throw new Error(`${missing.message} This system has no apt-get to install it with.`);
  if (status !== 0)
    throw new Error(`${missing.message} \`apt-get ${args.join(" ")}\` failed with status ${status}.`);
}
