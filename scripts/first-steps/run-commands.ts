import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PageCommand } from "./page-commands.ts";

/** What a command did. */
export interface CommandEnd {
  readonly text: string;
  readonly exitCode: number;
  readonly output: string;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Ends a session that hangs. */
const LIMIT_MS = 600_000;

/** Separates the outputs of commands; no program prints it. */
const MARK = "\u001E";

const QUESTION = "[y/N] ";

/**
 * Runs commands one after another in one shell on a pseudo-terminal, as a reader would. Questions get the answer that the page shows, or
 * `y`. Rejects when the session ends early.
 */
export async function runCommands(
  commands: readonly PageCommand[],
  { cwd, env }: Surroundings,
): Promise<readonly CommandEnd[]> {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-session-"));
  try {
    const file = join(folder, "session.sh");
    writeFileSync(file, commands.map(withMark).join(""));
    const output = await onTerminal(`sh '${file}'`, answersIn(commands), { cwd, env });
    const parts = output.split(new RegExp(`\n?${MARK}(\\d+)${MARK}\n`));
    const ended = commands.map(({ text }, index) => ({
      text,
      output: parts[2 * index] ?? "",
      exitCode: Number(parts[2 * index + 1]),
    }));
    const lost = ended.find(({ exitCode }) => Number.isNaN(exitCode));
    if (lost !== undefined) throw new Error(`the shell ended in "${lost.text}":\n${output}`);
    return ended;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The exit code stays what it was, for an `echo $?` that follows. */
function withMark({ text }: PageCommand): string {
  return `${text}\nended=$?; printf '\\n\\036%d\\036\\n' "$ended"; (exit "$ended")\n`;
}

function answersIn(commands: readonly PageCommand[]): readonly string[] {
  return commands.flatMap(({ output = "" }) =>
    output
      .split(QUESTION)
      .slice(1)
      .map((rest) => rest.split("\n", 1)[0] ?? ""),
  );
}

async function onTerminal(
  command: string,
  answers: readonly string[],
  { cwd, env }: Surroundings,
): Promise<string> {
  const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    cwd,
    env: { ...env, NO_COLOR: "1", TERM: "dumb" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const limit = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  const left = [...answers];
  let output = "";
  let asked = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    const questions = output.split(QUESTION).length - 1;
    for (; asked < questions; asked++) child.stdin.write(`${left.shift() ?? "y"}\r`);
  });
  try {
    await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
  } finally {
    clearTimeout(limit);
  }
  return afterRewrites(output.replaceAll("\r\n", "\n"));
}

/** Moves a terminal's cursor to the beginning of the line and clears it. */
const REWRITE = "\r\u001B[K";

/** What a terminal shows in the end: of a line that was rewritten, what was written last. */
function afterRewrites(output: string): string {
  return output
    .split("\n")
    .map((line) => line.split(REWRITE).at(-1))
    .join("\n");
}
