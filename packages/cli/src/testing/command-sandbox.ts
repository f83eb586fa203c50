import { spawn } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type HookParts, Sandbox } from "@tenterhook/test-support/sandbox";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";

/** The built command; `npm run build` creates it. */
export const BIN = fileURLToPath(new URL("../../dist/bin/tenterhook.js", import.meta.url));

/** Links the command in a folder, as `npm link` does in one that is on the PATH. */
export function linkCommand(folder: string): string {
  mkdirSync(folder);
  const link = join(folder, "tenterhook");
  symlinkSync(BIN, link);
  return link;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandRunOptions {
  /** Default: the project. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard input. */
  readonly input?: string;
  /** Arguments for node itself. */
  readonly node?: readonly string[];
}

export interface CommandHookParts extends HookParts {
  /** Default: project. */
  readonly scope?: "user" | "project";
  /** The text of tests/cases.yaml. */
  readonly cases?: string;
}

/** A sandbox in which the command runs as a real process. */
export class CommandSandbox extends Sandbox {
  readonly auditFile = join(this.state, "audit.jsonl");
  readonly #command = linkCommand(join(temporaryFolder(), "bin"));
  /** Coding agents, for `doctor`. */
  readonly programs = join(this.root, "programs");

  /** Makes coding agents exist for `doctor`, as programs that do nothing; `install` does it for those that it names. */
  addPrograms(names: readonly string[]): void {
    for (const name of names.filter((each) => /^[a-z]+$/.test(each)))
      this.write(join(this.programs, name), "#!/bin/sh\n", 0o755);
  }

  removeProgram(name: string): void {
    rmSync(join(this.programs, name));
  }

  /** Writes a hook and returns its folder. */
  hook(name: string, { scope = "project", cases, ...parts }: CommandHookParts = {}): string {
    const root = scope === "user" ? this.userHooks : this.projectHooks;
    const folder = this.writeHook(join(root, name), parts, "/bin/bash");
    if (cases !== undefined) this.write(join(folder, "tests", "cases.yaml"), cases);
    return folder;
  }

  /** The environment of the command, without variables of agents that run these tests. */
  env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    const path = `${dirname(this.#command)}:${more.PATH ?? process.env.PATH}`;
    return { HOME: this.home, ...more, PATH: path };
  }

  run(
    args: readonly string[],
    { cwd = this.project, env = {}, input = "", node = [] }: CommandRunOptions = {},
  ): Promise<Ran> {
    if (args[0] === "install") this.addPrograms(args);
    const variables = this.env(env);
    if (args[0] === "doctor") variables.PATH += `:${this.programs}`;
    const child = spawn(process.execPath, [...node, this.#command, ...args], { cwd, env: variables });
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    return ended(child);
  }

  async json(args: readonly string[], options?: CommandRunOptions): Promise<unknown> {
    const { stdout } = await this.run([...args, "--json"], options);
    return JSON.parse(stdout);
  }

  /** Runs the command on a pseudo-terminal, and answers its yes-or-no questions. */
  onTerminal(
    args: readonly string[],
    answers: readonly (string | (() => string))[] = [],
    env: CommandRunOptions["env"] = {},
    cwd = this.project,
  ): Promise<Ran> {
    const child = this.#terminal(args, env, cwd);
    const left = [...answers];
    let asked = 0;
    let seen = "";
    child.stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
      const questions = seen.split("[y/N] ").length - 1;
      for (; asked < questions; asked++) {
        const answer = left.shift() ?? "n";
        child.stdin.write(`${typeof answer === "string" ? answer : answer()}\r`);
      }
    });
    return ended(child);
  }

  /** Runs the command on a pseudo-terminal; waits for each text and types its answer. */
  async conversation(
    args: readonly string[],
    turns: readonly (readonly [seen: string, typed: string])[],
    env: CommandRunOptions["env"] = {},
  ): Promise<Ran> {
    const child = this.#terminal(args, { NO_COLOR: "1", TERM: "dumb", ...env }, this.project);
    const left = [...turns];
    let unread = "";
    child.stdout.on("data", (chunk: Buffer) => {
      unread += chunk.toString();
      for (let turn = left[0]; turn !== undefined && unread.includes(turn[0]); turn = left[0]) {
        unread = unread.slice(unread.indexOf(turn[0]) + turn[0].length);
        child.stdin.write(turn[1]);
        left.shift();
      }
    });
    const ran = await ended(child);
    if (left[0] !== undefined) throw new Error(`"${left[0][0]}" was never shown in:\n${ran.stdout}`);
    return ran;
  }

  #terminal(args: readonly string[], env: CommandRunOptions["env"], cwd: string) {
    const command = [process.execPath, this.#command, ...args].map((arg) => `'${arg}'`).join(" ");
    return spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
      cwd,
      env: this.env(env),
    });
  }
}

/** The result of a process. */
export async function ended(child: ReturnType<typeof spawn>): Promise<Ran> {
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]?.setEncoding("utf8").on("data", (text: string) => {
      output[stream] += text.replaceAll("\r\n", "\n");
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { code, ...output };
}
