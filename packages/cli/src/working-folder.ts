import { statSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "./usage-error.ts";

/** The folder of an option; default: the current folder. Throws a `UsageError` when it is not a folder. */
export function workingFolder(dir = ".", option = "--dir"): string {
  const folder = resolve(dir);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new UsageError(`${dir} is not a folder.`, `Use ${option} with an existing folder.`);
}
