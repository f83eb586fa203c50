import { accessSync, closeSync, constants, openSync, readSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { EntryPoint } from "@tenterhook/file-hooks";

/** The program that a script needs and that is not there; `undefined` when all is well. */
export function missingInterpreter({ script, command }: EntryPoint): string | undefined {
  // On Windows a program may have any of several endings; the start itself will tell.
  if (process.platform === "win32") return undefined;
  const program = command === script ? programOf(firstLine(script)) : command;
  return program === undefined || isThere(program) ? undefined : program;
}

/** The program of a #! line; `env` is looked through. */
function programOf(line: string): string | undefined {
  if (!line.startsWith("#!")) return undefined;
  const [first, ...rest] = line.slice(2).trim().split(/\s+/);
  if (first === undefined || !/(?:^|\/)env$/.test(first)) return first;
  return rest.find((word) => !word.startsWith("-") && !word.includes("="));
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

function firstLine(path: string): string {
  const buffer = Buffer.alloc(512);
  const file = openSync(path, "r");
  try {
    return buffer.toString("utf8", 0, readSync(file, buffer, 0, buffer.length, 0)).split("\n")[0] ?? "";
  } finally {
    closeSync(file);
  }
}
