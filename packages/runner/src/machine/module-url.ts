import { createRequire } from "node:module";
import { isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** The URL of a module: a path is relative to a folder, and the name of a package is resolved from there. */
export function moduleUrl(module: string, baseDir: string): string {
  if (module.startsWith("file:")) return module;
  const isPath = isAbsolute(module) || module.startsWith(".");
  const path = isPath ? resolve(baseDir, module) : createRequire(join(baseDir, "runner.js")).resolve(module);
  return pathToFileURL(path).href;
}
