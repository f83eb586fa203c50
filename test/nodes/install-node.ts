import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { npm } from "./npm.ts";

/**
 * Installs a version of Node from npm into a cache folder, once, and returns the path of its program. Throws an error that says why it cannot
 * be installed. It is never a dependency of the repository.
 */
export async function installNode(
  packageName: string,
  version: string,
  cache = cacheFolder(),
): Promise<string> {
  const folder = join(cache, `${packageName}-${version}`);
  const program = join(folder, "node_modules", packageName, "bin", "node");
  if (!existsSync(folder)) await install(`${packageName}@${version}`, cache, folder);
  const printed = printVersion(program);
  if (printed === `v${version}`) return program;
  throw new Error(`${program} is not Node ${version} (${printed}). Remove ${folder}, and repeat it.`);
}

function cacheFolder(): string {
  return process.env.TENTERHOOK_TEST_NODES || join(homedir(), ".cache", "tenterhook-test-nodes");
}

/** Another run may install the same version: whichever is complete first is kept. */
async function install(name: string, cache: string, folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, "unfinished-"));
  try {
    writeFileSync(join(unfinished, "package.json"), "{}\n");
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
    const installed = await npm(["install", "--prefix", unfinished, ...quiet, name]);
    if ("problem" in installed) throw new Error(installed.problem);
    if (!existsSync(folder)) renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function printVersion(program: string): string {
  try {
    return execFileSync(program, ["--version"], { encoding: "utf8" }).trim();
  } catch {
    return "it does not start";
  }
}
