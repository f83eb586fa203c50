import { statSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "./usage-error.ts";

/** The folder that an option means; this one without it. Throws a `UsageError` when it is none. */
export function workingFolder(dir = ".", option = "--dir"): string {
  const folder = resolve(dir);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new UsageError(`${dir} is not a folder.`, `Give ${option} the folder in which it happens.`);
}
