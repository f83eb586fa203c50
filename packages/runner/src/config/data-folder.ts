import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Environment } from "../machine/machine.ts";

/** The user's data folder of Tenterhook, by the XDG rules: a coordinator on this machine leaves its token there. */
export function dataFolder(env: Environment = process.env): string {
  const { XDG_DATA_HOME: base = "", HOME: home } = env;
  return join(isAbsolute(base) ? base : join(home || homedir(), ".local", "share"), "tenterhook");
}

/** The runner's own part of it. */
export function runnerFolder(env: Environment = process.env): string {
  return join(dataFolder(env), "runner");
}
