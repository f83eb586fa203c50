import { existsSync, realpathSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { isInside, readPlainFile } from "@tenterhook/internal/files";
import type { Start } from "./interpreter.ts";

/**
 * Whether Node would take a script's module type from a package.json that does not belong to the hook. Such a file breaks
 * the script when it differs, or when it is broken itself.
 */
export function hasForeignModuleType({ script, interpreter = "" }: Start, folder: string): boolean {
  const isNode = interpreter === process.execPath || /(?:^|[\\/])node(?:js)?$/.test(interpreter);
  if (!isNode || [".mjs", ".cjs"].includes(extname(script))) return false;
  try {
    const own = realpathSync(folder);
    for (let current = dirname(realpathSync(script)); ; current = dirname(current)) {
      const file = join(current, "package.json");
      if (existsSync(file)) return !isInside(current, own) && statesType(file);
      if (dirname(current) === current) return false;
    }
  } catch {
    return false;
  }
}

function statesType(file: string): boolean {
  try {
    return (JSON.parse(readPlainFile(file)) as { type?: unknown }).type !== undefined;
  } catch {
    return true;
  }
}
