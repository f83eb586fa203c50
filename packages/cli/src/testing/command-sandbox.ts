import { spawn } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The built command; `npm run build` creates it. */
export const BIN = fileURLToPath(new URL("../../dist/bin/tenterhook.js", import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Default: the project. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard input. */
  readonly input?: string;
  /** Arguments for node itself. */
  readonly node?: readonly string[];
}

export interface HookParts {
  readonly scope?: "user" | "project";
  readonly trigger?: string;
  /** More lines of frontmatter. */
  readonly fields?: readonly string[];
  /** The body of a shell script; default: no script. */
  readonly script?: string;
  /** The text of tests/cases.yaml. */
  readonly cases?: string;
}

/** A home folder and a project for one test; the command runs there as a real process. */
export class CommandSandbox {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "tenterhook-cli-")));
  readonly home = join(this.root, "home");
  readonly project = join(this.root, "project");
  readonly userHooks = join(this.home, ".config", "agents", "hooks");
  readonly projectHooks = join(this.project, ".agents", "hooks");
  readonly auditFile = join(this.home, ".local", "state", "tenterhook", "audit.jsonl");

  constructor() {
    mkdirSync(this.home);
    mkdirSync(this.project);
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }));
  }

  write(path: string, text: string, mode = 0o644): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  }

  read(path: string): string {
    return readFileSync(path, "utf8");
  }

  /** Writes a hook and returns its folder. */
  hook(
    name: string,
    { scope = "project", trigger = "before_tool", fields = [], script, cases }: HookParts = {},
  ): string {
    const folder = join(scope === "user" ? this.userHooks : this.projectHooks, name);
    const frontmatter = [`name: ${name}`, `description: about ${name}`, `trigger: ${trigger}`, ...fields];
    this.write(join(folder, "HOOK.md"), `---\n${frontmatter.join("\n")}\n---\n\n# ${name}\n`);
    if (script !== undefined)
      this.write(join(folder, "scripts", "run.sh"), `#!/bin/bash\n${script}\n`, 0o755);
    if (cases !== undefined) this.write(join(folder, "tests", "cases.yaml"), cases);
    return folder;
  }

  /** The environment of the command, without variables of agents that run these tests. */
  env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return { PATH: process.env.PATH ?? "", HOME: this.home, ...more };
  }

  run(
    args: readonly string[],
    { cwd = this.project, env = {}, input = "", node = [] }: RunOptions = {},
  ): Promise<Ran> {
    const child = spawn(process.execPath, [...node, BIN, ...args], { cwd, env: this.env(env) });
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    return ended(child);
  }

  async json(args: readonly string[], options?: RunOptions): Promise<unknown> {
    const { stdout } = await this.run([...args, "--json"], options);
    return JSON.parse(stdout);
  }

  /** Runs the command on a pseudo-terminal, and answers its yes-or-no questions. */
  onTerminal(
    args: readonly string[],
    answers: readonly (string | (() => string))[] = [],
    env: RunOptions["env"] = {},
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
    env: RunOptions["env"] = {},
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

  #terminal(args: readonly string[], env: RunOptions["env"], cwd: string) {
    const command = [process.execPath, BIN, ...args].map((arg) => `'${arg}'`).join(" ");
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
