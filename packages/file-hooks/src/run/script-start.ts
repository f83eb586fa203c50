import { existsSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, isAbsolute, join } from "node:path";
import { isInside, readPlainFile, signatureOf, withOpenFile } from "@tenterhook/internal/files";
import { type HookFile, TenterhookError } from "@tenterhook/protocol";
import type { Environment } from "../discover/locations.ts";
import { hashFolder } from "../trust/folder-hash.ts";
import { PrivateCopies } from "../trust/private-copies.ts";
import { namedInterpreter } from "../trust/trust-store.ts";
import { findProgram, isExecutableFile, isInProject, type Surroundings } from "./surroundings.ts";

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

/** How a hook's script is started: a program and its arguments, never a shell string. */
export interface EntryPoint {
  readonly script: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly shebang: Shebang | undefined;
}

/** A #! line. */
interface Shebang {
  readonly line: string;
  /** The interpreter. */
  readonly command: string;
  /** What the line gives to the interpreter, before the script. */
  readonly args: readonly string[];
  /** What the system starts: `env`, or the interpreter itself. */
  readonly started: string;
  /** Whether `env` looks for the interpreter elsewhere than on its PATH. */
  readonly isElsewhere: boolean;
}

/** The scripts a hook may have, in order of preference. */
const NAMES = ["run", "run.sh", "run.py", "run.js", "run.mjs", "run.ps1", "run.cmd"] as const;

/** Finds a hook's script and how to start it; a string says why it cannot be started. */
export function findEntryPoint(folder: string): EntryPoint | string {
  const scripts = join(folder, "scripts");
  const script = NAMES.map((name) => join(scripts, name)).find(isFile);
  if (script === undefined)
    return `it has no script; put one at ${join("scripts", "run.sh")} (or ${NAMES.join(", ")})`;
  if (isBlank(script))
    return `${script} is empty, so it checks nothing; restore it, or write what it must do`;
  return startFor(script, process.platform);
}

/** How to start a script on a platform. */
export function startFor(script: string, platform: NodeJS.Platform): EntryPoint | string {
  const extension = extname(script);
  const head = readHead(script);
  const shebang = shebangOf(head);
  const isShell = extension === ".sh" || /(?:^|\/)(?:ba|da|k|z)?sh$/.test(shebang?.command ?? "");
  if (isShell && head.includes("\r\n")) {
    return `${script} has Windows line ends (CRLF), which no shell can run; convert it, for example with dos2unix`;
  }
  const started = (command: string, ...args: string[]): EntryPoint => ({
    script,
    command,
    args: [...args, script],
    shebang,
  });
  const direct: EntryPoint = { script, command: script, args: [], shebang };
  if (
    platform !== "win32" &&
    isExecutableFile(script) &&
    shebang !== undefined &&
    !head.startsWith(`${shebang.line}\r`)
  ) {
    return shebangProblem(script, shebang.line) ?? direct;
  }
  if (platform !== "win32" && shebang !== undefined) return started(shebang.command, ...shebang.args);
  switch (extension) {
    case ".sh":
      return started("bash");
    case ".py":
      return platform === "win32" ? started("py", "-3") : started("python3");
    case ".js":
    case ".mjs":
      return started(process.execPath);
    case ".ps1":
      return started(
        platform === "win32" ? "powershell.exe" : "pwsh",
        "-NoProfile",
        "-ExecutionPolicy",
        "Bypass",
        "-File",
      );
    case ".cmd":
      return platform === "win32" ? started("cmd.exe", "/d", "/c") : `${script} runs on Windows only`;
    default:
      if (platform !== "win32" && isExecutableFile(script)) return direct;
      return `${script} is not executable and has no #! line; make it executable with chmod +x`;
  }
}

/** The interpreter of a #! line. `env` is looked through, because a script that is not executable is started by hand. */
function shebangOf(head: string): Shebang | undefined {
  const line = /^#![^\r\n]*/.exec(head)?.[0];
  const words = line?.slice(2).trim().split(/\s+/) ?? [];
  const [first, ...rest] = words;
  if (line === undefined || !first) return undefined;
  const isEnv = /(?:^|\/)env$/.test(first);
  const [command = first, ...args] = isEnv ? afterEnv(rest) : words;
  // `env -Spython3`: what it starts cannot be known from its options.
  if (command === first && isEnv)
    return { line, command: first, args: rest, started: first, isElsewhere: true };
  const options = isEnv ? rest.slice(0, rest.length - args.length - 1) : [];
  return {
    line,
    command,
    args,
    started: first,
    isElsewhere: options.some(
      (option) =>
        !/^(?:-S|--split-string|-|-i|--ignore-environment|[A-Za-z_]\w*=.*)$/.test(option) ||
        /^PATH=/.test(option),
    ),
  };
}

/** What `env` starts: its own options and the variables it sets come first. */
function afterEnv(words: readonly string[]): string[] {
  const first = words.findIndex((word) => !word.startsWith("-") && !word.includes("="));
  return first < 0 ? [] : words.slice(first);
}

/** The first bytes of a script; empty when it cannot be read. */
function readHead(script: string): string {
  try {
    return withOpenFile(script, (file) => {
      const buffer = Buffer.alloc(4096);
      return buffer.toString("utf8", 0, readSync(file, buffer, 0, buffer.length, 0));
    });
  } catch {
    return "";
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** A full disk or a crash leaves such files. Most interpreters end with 0 for them, which would mean "no objection". */
function isBlank(script: string): boolean {
  const size = statSync(script, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return true;
  const head = size <= 64 ? readHead(script) : "";
  return head !== "" && head.trim() === "";
}

/**
 * How many bytes of a #! line Linux reads, since version 5.1; the other systems read more. Beyond it, an argument loses
 * its end, and a path that is cut makes the C library start the script with `sh`: a guard in Python would run as a shell
 * script, whatever that does.
 */
const LIMIT = 255;

/** Why a #! line cannot be left to the system; `undefined` when it can. */
function shebangProblem(script: string, line: string): string | undefined {
  const length = Buffer.byteLength(line);
  if (length <= LIMIT) return undefined;
  return `the #! line of ${script} has ${length} bytes, and the system reads ${LIMIT}; shorten it, for example with #!/usr/bin/env`;
}

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
