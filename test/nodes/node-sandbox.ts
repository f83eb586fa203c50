import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository, from the folder that this is built into. */
export const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
/** The command as it is published. */
const COMMAND = join(ROOT, "packages", "cli", "bin", "tenterhook.cjs");
/** More than anything here takes on a busy machine; it ends what hangs. */
const LONGEST_MS = 300_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A home and a project of their own for one version of Node. Removed with the temporary folder of the run. */
export class NodeSandbox {
  readonly node: string;
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "tenterhook-nodes-")));
  readonly home = join(this.root, "home");
  readonly project = join(this.root, "project");

  constructor(node: string) {
    this.node = node;
    mkdirSync(this.home);
    mkdirSync(join(this.project, ".git"), { recursive: true });
  }

  /** Starts a program; it is ended if it takes too long. */
  start(program: string, args: readonly string[], cwd = this.project): ChildProcess {
    const { PATH = "", TENTERHOOK_RUN = "", TMPDIR = tmpdir() } = process.env;
    const env = {
      PATH,
      TMPDIR,
      TENTERHOOK_RUN,
      HOME: this.home,
      NO_COLOR: "1",
    };
    return spawn(program, args, { cwd, env, timeout: LONGEST_MS, killSignal: "SIGKILL" });
  }

  /** Starts the command with this version of Node. */
  startCommand(...args: readonly string[]): ChildProcess {
    return this.start(this.node, [COMMAND, ...args]);
  }

  /** Runs a program to its end. */
  async run(program: string, args: readonly string[], input = "", cwd = this.project): Promise<Ended> {
    const child = this.start(program, args, cwd);
    // A program may end without reading its input.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
    return ended(child);
  }

  /** Runs the command with this version of Node, to the expected exit code. Returns what it has printed. */
  async command(args: readonly string[], code = 0): Promise<string> {
    const run = await this.run(this.node, [COMMAND, ...args]);
    assert.equal(
      run.code,
      code,
      `tenterhook ${args.join(" ")} ended with ${run.code ?? run.signal}:\n${run.stdout}${run.stderr}`,
    );
    return run.stdout;
  }

  /** Runs a program of `programs/` with this version of Node alone; it must succeed. Returns what it has printed. */
  async program(name: string): Promise<string> {
    const path = fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url));
    const run = await this.run(this.node, [path], "", ROOT);
    assert.equal(run.code, 0, `it ended with ${run.code ?? run.signal}:\n${run.stdout}${run.stderr}`);
    return run.stdout.trim();
  }
}

/** Waits for the end of a process. Rejects if it cannot be started. */
export function ended(child: ChildProcess): Promise<Ended> {
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream]?.setEncoding("utf8").on("data", (text: string) => {
      output[stream] += text;
    });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, ...output }));
  });
}
