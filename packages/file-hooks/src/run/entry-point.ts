import { statSync } from "node:fs";
import { extname, join } from "node:path";
import { BoundedMap } from "@tenterhook/internal";
import { isReliable, isSameSignature, type Signature, signatureOf } from "@tenterhook/internal/files";
import { readHead, shebangOf } from "./shebang.ts";
import { isExecutableFile } from "./surroundings.ts";

/** How a hook's script is started: a program and its arguments, never a shell string. */
export interface EntryPoint {
  readonly script: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** The scripts a hook may have, in order of preference. */
const NAMES = ["run", "run.sh", "run.py", "run.js", "run.mjs", "run.ps1", "run.cmd"] as const;

interface Found {
  readonly folder: Signature | undefined;
  readonly script: Signature | undefined;
  readonly entry: EntryPoint;
}

const found = new BoundedMap<string, Found>(1_000);

/** Finds a hook's script and how to start it; a string says why it cannot be started. */
export function findEntryPoint(
  folder: string,
  platform: NodeJS.Platform = process.platform,
): EntryPoint | string {
  const scripts = join(folder, "scripts");
  const known = found.get(scripts);
  const signature = signatureOf(scripts);
  // Another name in the folder changes the folder, another content or mode the script.
  if (
    known !== undefined &&
    isSameSignature(known.folder, signature) &&
    isSameSignature(known.script, signatureOf(known.entry.script))
  ) {
    return known.entry;
  }
  const script = NAMES.map((name) => join(scripts, name)).find(isFile);
  if (script === undefined)
    return `it has no script; put one at ${join("scripts", "run.sh")} (or ${NAMES.join(", ")})`;
  if (isBlank(script))
    return `${script} is empty, so it checks nothing; restore it, or write what it must do`;
  const own = signatureOf(script);
  const entry = startFor(script, platform);
  if (typeof entry === "string") return entry;
  if ([signature, own].every((its) => its !== undefined && isReliable(its)))
    found.set(scripts, { folder: signature, script: own, entry });
  return entry;
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
  });
  if (
    platform !== "win32" &&
    isExecutableFile(script) &&
    shebang !== undefined &&
    !head.startsWith(`${shebang.line}\r`)
  ) {
    return shebangProblem(script, shebang.line) ?? { script, command: script, args: [] };
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
      if (platform !== "win32" && isExecutableFile(script)) return { script, command: script, args: [] };
      return `${script} is not executable and has no #! line; make it executable with chmod +x`;
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
