import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/**
 * The data folder of a coordinator on this machine, by the XDG rules unless an option says where. The runner has the same
 * rule; loading all of it to ask would take longer than the verbs that need this.
 */
export function dataFolder(
  option?: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  if (option !== undefined) return resolve(option);
  const { XDG_DATA_HOME: base = "", HOME: home } = env;
  return join(isAbsolute(base) ? base : join(home || homedir(), ".local", "share"), "tenterhook");
}
