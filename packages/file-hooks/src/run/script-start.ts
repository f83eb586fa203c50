import { existsSync, realpathSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { isInside, readPlainFile } from "@tenterhook/internal/files";
import { type HookFile, TenterhookError } from "@tenterhook/protocol";
import type { Environment } from "../caller/environment.ts";
import { namedInterpreter } from "../parse/named-interpreter.ts";
import { hashFolder } from "../trust/folder-hash.ts";
import { PrivateCopies } from "../trust/private-copies.ts";
import { findEntryPoint } from "./entry-point.ts";
import { type Start, startWith } from "./interpreter.ts";
import type { Surroundings } from "./surroundings.ts";

/** Where a hook runs. */
export interface RunLocation {
  /** The hook's folder. */
  readonly folder: string;
  /** The private copy of a trusted hook's folder: what was trusted, and what is run. */
  readonly copy?: string;
  /** The project's root, or the working directory where there is none. */
  readonly projectDir: string;
  /** Further projects that concern this hook. */
  readonly projects?: readonly string[];
  /** The variables that the hook inherits from. Default: those of this process. */
  readonly env?: Environment;
  /** The home folder that the hook gets. Default: that of `env`. */
  readonly home?: string;
  /** The state folder of Tenterhook. */
  readonly state: string;
}

/** The script to start, and the folder of the hook that it is started from. */
export function startOf(
  hook: HookFile,
  location: RunLocation,
  around: Surroundings,
): { folder: string; start: Start } {
  const folder = location.copy ?? location.folder;
  const start = startIn(folder, hook, location, around);
  if (location.copy !== undefined || !hasForeignModuleType(start, folder)) return { folder, start };
  const copy = findCopy(folder, location);
  return copy === undefined
    ? { folder, start }
    : { folder: copy, start: startIn(copy, hook, location, around) };
}

function startIn(folder: string, hook: HookFile, location: RunLocation, around: Surroundings): Start {
  const entry = findEntryPoint(folder);
  if (typeof entry === "string")
    throw new TenterhookError("hook_not_started", `it could not be started: ${entry}.`);
  const start = startWith(entry, namedInterpreter(hook, location.folder), around);
  if (!("type" in start)) return start;
  const isChanged = start.type === "unsafe" || location.copy !== undefined;
  throw new TenterhookError(
    isChanged ? "hook_tampered" : "hook_not_started",
    `it could not be started: ${start.why}.`,
  );
}

/** A copy to run from, for a script whose surroundings would change what it means; absent when it cannot be made. */
function findCopy(folder: string, { state, env }: RunLocation): string | undefined {
  try {
    return new PrivateCopies(state, env).of(folder, hashFolder(folder));
  } catch {
    return undefined;
  }
}

/**
 * Whether Node would take a script's module type from a package.json that does not belong to the hook. Such a file breaks
 * the script when it differs, or when it is broken itself.
 */
function hasForeignModuleType({ script, interpreter = "" }: Start, folder: string): boolean {
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
