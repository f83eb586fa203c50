import { readSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { withOpenFile } from "@tenterhook/internal/files";
import { isExecutableFile } from "./surroundings.ts";

/** How a hook's script is started: a program and its arguments, never a shell string. */
export interface EntryPoint {
  readonly script: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly shebang: Shebang | undefined;
}

/** A #! line. */
export interface Shebang {
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
