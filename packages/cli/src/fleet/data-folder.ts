import { resolve } from "node:path";
import { dataFolder as usersFolder } from "@tenterhook/runner/data-folder";
import { makeWritableFolder } from "../writable-folder.ts";

/** Makes a folder for the data of a coordinator or a runner. Throws a `UsageError` when it cannot be written to. */
export function makeDataFolder(folder: string, what = "the data folder"): void {
  makeWritableFolder(folder, {
    what,
    remedy: "Choose another with --data, or set HOME or XDG_DATA_HOME to a place that you can write to.",
  });
}

/** The data folder of a coordinator on this machine: the user's, where runners look too, unless an option says where. */
export function dataFolder(
  option?: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  return option === undefined ? usersFolder(env) : resolve(option);
}
