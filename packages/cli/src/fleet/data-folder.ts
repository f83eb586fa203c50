import { resolve } from "node:path";
import { dataFolder as usersFolder } from "@tenterhook/runner/data-folder";
import { makeWritableFolder } from "../writable-folder.ts";

/** Creates a data folder. Throws a `UsageError` when it cannot be written to. */
export function makeDataFolder(folder: string, what = "the data folder"): void {
  makeWritableFolder(folder, {
    what,
    remedy: "Choose another with --data, or set HOME or XDG_DATA_HOME to a writable folder.",
  });
}

/** The data folder of a coordinator on this machine: of the option, or the user's, which runners use too. */
export function dataFolder(
  option?: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  return option === undefined ? usersFolder(env) : resolve(option);
}
