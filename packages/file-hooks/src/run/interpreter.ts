import { isAbsolute } from "node:path";
import { signatureOf } from "@tenterhook/internal/files";
import type { EntryPoint } from "./entry-point.ts";
import { findProgram, isExecutableFile, isInProject, type Surroundings } from "./surroundings.ts";

/** A script with the program that runs it. */
export interface Start extends EntryPoint {
  /** The interpreter's absolute path; absent when the script is a program itself. */
  readonly interpreter: string | undefined;
}

/** Why a script is not started. */
export interface NoStart {
  /** `unsafe`: its interpreter could be anything, because it lies in the project and the hook does not name it. */
  readonly type: "missing" | "unsafe";
  readonly why: string;
}

/**
 * Decides which program runs a script: the one that the hook names, or the one of its #! line or its ending, found on a
 * PATH without folders of projects.
 */
export function startWith(
  entry: EntryPoint,
  named: string | undefined,
  around: Surroundings,
): Start | NoStart {
  // On Windows a program may have any of several endings; the system finds it.
  if (process.platform === "win32") return { ...entry, interpreter: undefined };
  return named === undefined ? byItself(entry, around) : byNamed(entry, named);
}

function byNamed(entry: EntryPoint, interpreter: string): Start | NoStart {
  if (!isExecutableFile(interpreter)) {
    const why = `${interpreter}, which it names under metadata.interpreter, is not an executable file`;
    return { type: "missing", why };
  }
  return { ...entry, command: interpreter, args: [entry.script], interpreter };
}

function byItself(entry: EntryPoint, around: Surroundings): Start | NoStart {
  const isDirect = entry.command === entry.script;
  const line = entry.shebang;
  if (isDirect && line === undefined) return { ...entry, interpreter: undefined };
  if (line?.isElsewhere && (isDirect || entry.command === line.command))
    return unsafe("its #! line makes env look for the interpreter in a way that cannot be checked");
  const shebang = isDirect ? line : undefined;
  const programs = shebang === undefined ? [entry.command] : [shebang.started, shebang.command];
  let interpreter = entry.command;
  for (const program of programs) {
    const found = locate(program, around, program === shebang?.started);
    if (typeof found !== "string") return found;
    interpreter = found;
  }
  return { ...entry, ...(!isDirect && { command: interpreter }), interpreter };
}

/** Finds a program that does not lie in a project. What the system starts by a #! line is not looked for on the PATH. */
function locate(program: string, { path, projects }: Surroundings, isByLine: boolean): string | NoStart {
  if (!isAbsolute(program) && (isByLine || program.includes("/")))
    return unsafe(
      `its interpreter ${program} is a relative path, which means another program in every folder`,
    );
  const found = isAbsolute(program) ? program : findProgram(program, path);
  if (found === undefined || signatureOf(found) === undefined) {
    const where = isAbsolute(program) ? "" : " on the PATH (folders of the project are not searched)";
    return { type: "missing", why: `its interpreter ${program} was not found${where}` };
  }
  // The Node that runs this process is as good as this process.
  if (found !== process.execPath && isInProject(found, projects))
    return unsafe(`its interpreter ${found} lies in the project`);
  return found;
}

function unsafe(why: string): NoStart {
  return { type: "unsafe", why: `${why}; name it under metadata.interpreter` };
}
