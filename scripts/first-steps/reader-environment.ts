import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/**
 * The environment of a reader with a new home folder: without the variables of an agent that may run this, and with the npm registry
 * and cache of this machine.
 */
export function readerEnvironment(home: string): Readonly<Record<string, string>> {
  const npm = (name: string) =>
    execFileSync("npm", ["config", "get", name], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  // Where npm link puts commands: a reader has it on the PATH, and it is not that of this machine.
  const prefix = join(home, ".npm-global");
  mkdirSync(join(prefix, "lib"), { recursive: true });
  return {
    PATH: `${join(prefix, "bin")}:${process.env.PATH}`,
    npm_config_prefix: prefix,
    LANG: "C.UTF-8",
    HOME: home,
    npm_config_userconfig: npm("userconfig"),
    npm_config_cache: npm("cache"),
    // Notices about npm itself and about this machine's settings would be between the lines that are compared.
    npm_config_update_notifier: "false",
    npm_config_loglevel: "error",
  };
}
