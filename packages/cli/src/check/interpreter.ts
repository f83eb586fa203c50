import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { type EntryPoint, interpreterOf } from "@tenterhook/file-hooks";

/** The program that a script needs and that is not there; `undefined` when all is well. */
export function missingInterpreter(entry: EntryPoint): string | undefined {
  // On Windows a program may have any of several endings; the start itself will tell.
  if (process.platform === "win32") return undefined;
  const program = interpreterOf(entry);
  return program === undefined || isThere(program) ? undefined : program;
}

function isThere(program: string): boolean {
  if (program.includes("/") || isAbsolute(program)) return isExecutable(program);
  return (process.env.PATH ?? "").split(delimiter).some((folder) => isExecutable(join(folder, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
