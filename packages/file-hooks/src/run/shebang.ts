import { readSync } from "node:fs";
import { withOpenFile } from "@tenterhook/internal/files";

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

/** The interpreter of a #! line. `env` is looked through, because a script that is not executable is started by hand. */
export function shebangOf(head: string): Shebang | undefined {
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
export function readHead(script: string): string {
  try {
    return withOpenFile(script, (file) => {
      const buffer = Buffer.alloc(4096);
      return buffer.toString("utf8", 0, readSync(file, buffer, 0, buffer.length, 0));
    });
  } catch {
    return "";
  }
}
