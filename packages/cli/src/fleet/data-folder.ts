import { resolve } from "node:path";
import { dataFolder as usersFolder } from "@tenterhook/runner/data-folder";

/** The data folder of a coordinator on this machine: the user's, where runners look too, unless an option says where. */
export function dataFolder(
  option?: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  return option === undefined ? usersFolder(env) : resolve(option);
}
