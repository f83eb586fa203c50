import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Runner, type RunnerOptions } from "@tenterhook/runner";
import { onTestFinished } from "vitest";
import { FileHooksSandbox } from "../file-hooks/file-hooks-sandbox.ts";

/** Blocks the command that waits for it, until it is opened. */
export interface Gate {
  readonly command: string[];
  open(): Promise<void>;
}

/** A home folder and a project for one test, with the runners that it starts. */
export class RunnerSandbox extends FileHooksSandbox {
  /** The lines that runners logged. */
  readonly lines: string[] = [];
  readonly #coordinator: { readonly url: string; readonly token: string };
  #gates = 0;

  constructor(coordinator: { readonly url: string; readonly token: string }) {
    super();
    this.#coordinator = coordinator;
  }

  get dataDir(): string {
    return join(this.root, "data");
  }

  /** A runner that is stopped when the test ends. */
  runner(options: Partial<RunnerOptions> = {}): Runner {
    const { url, token } = this.#coordinator;
    const runner = new Runner({
      url,
      token,
      name: "test",
      dataDir: this.dataDir,
      baseDir: this.root,
      environment: this.env,
      log: (line) => this.lines.push(line),
      ...options,
    });
    onTestFinished(() => runner.stop());
    return runner;
  }

  async start(options: Partial<RunnerOptions> = {}): Promise<Runner> {
    const runner = this.runner(options);
    await runner.start();
    return runner;
  }

  /** A program that prints `on` and its process id, waits, and ends when its gate is opened. */
  gate(): Gate {
    const path = join(this.root, `gate-${++this.#gates}`);
    execFileSync("mkfifo", [path]);
    return {
      command: ["sh", "-c", 'echo "on $$" >&2; read -r _ < "$0"; echo passed', path],
      open: () => writeFile(path, "go\n"),
    };
  }
}

/** A program that ignores signals, and prints its process id. */
export const STUBBORN = ["sh", "-c", 'trap "" TERM; echo "on $$" >&2; while :; do sleep 1; done'];
