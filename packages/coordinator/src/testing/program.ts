import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { QUICK_START } from "@tenterhook/test-support";

/** One of the programs beside this file, as a real process, which prints lines of JSON. */
export interface Program {
  readonly process: ChildProcess;
  /** The next line; `undefined` when it has ended. */
  next(): Promise<Record<string, unknown> | undefined>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export interface ProgramOptions {
  /** A command that starts it, such as one that puts it into a namespace of its own. */
  readonly before?: readonly string[];
}

/** Starts a compiled program. Rejects nothing: a program that fails prints its error to the standard error of the tests. */
export function startProgram(
  program: string | ({ readonly name: string } & ProgramOptions),
  ...args: string[]
): Program {
  const { name, before = [] } = typeof program === "string" ? { name: program } : program;
  const file = fileURLToPath(new URL(`../../dist/testing/programs/${name}.js`, import.meta.url));
  const [command = "", ...rest] = [...before, process.execPath, QUICK_START, file, ...args];
  const child = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"] });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    async next() {
      const line = await lines.next();
      return line.done ? undefined : JSON.parse(line.value);
    },
    async kill(signal) {
      child.kill(signal);
      await exited;
    },
  };
}
