import { spawn } from "node:child_process";
import { existsSync, fstatSync, readFileSync } from "node:fs";
import { bridge, COMPLETE } from "@tenterhook/bridges/bridge";
import { isRunning, replacePlainFile } from "@tenterhook/internal/files";
import { readText } from "./read-text.ts";
import type { BridgeOptions } from "./start-bridge.ts";

/** Runs the bridge, which a client starts as its hook: its JSON on standard input, its answer on standard output. */
export async function runBridge(
  options: BridgeOptions,
  storeCompiled: (replaceFile: typeof replacePlainFile) => void,
): Promise<void> {
  const { job, env, pins, wrapper, ...given } = options;
  if (job !== undefined) return (await import("./run-job.ts")).runJob(job, env);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, endEarly);
  if (wrapper !== undefined) watchWrapper(wrapper, endEarly);
  let deadline = 0;
  const cwd = workingFolder();
  const answer = await bridge({
    ...given,
    waitingSince: 0,
    stdin: async (leftMs) => {
      deadline = performance.now() + leftMs;
      return readStdin(leftMs);
    },
    cwd,
    env,
    startJob: async (path) => startJob(path, { pins, env }, cwd),
  });
  await writeAll("stderr", answer.stderr, deadline);
  const isWritten = await writeAll("stdout", answer.stdout, deadline);
  // A question or a changed input that did not arrive must not let the call run as it was.
  if (!isWritten) await writeAll("stderr", "tenterhook: the agent did not read its answer\n", 0);
  storeCompiled(replacePlainFile);
  exit(isWritten ? completeExit(answer.exit, wrapper) : 2);
}

/** The client must not wait any longer: everything that still runs ends with this process. */
function exit(code: number): never {
  return process.exit(code);
}

/** The client no longer waits. Exiting here ends the hooks that run; the signal's default would leave them behind. */
function endEarly(): void {
  void writeAll("stderr", "tenterhook: the agent ended the bridge before its hooks had answered\n", 0);
  exit(2);
}

/** Starts a process of its own for a job; it has none of the client's pipes and continues when this one has ended. */
function startJob(path: string, { pins, env }: Pick<BridgeOptions, "pins" | "env">, cwd: string): void {
  const [node, script = ""] = process.argv;
  const child = spawn(node ?? process.execPath, [script, "bridge", "--job", path, ...pins], {
    // The folder may have been removed while the agent was in it.
    cwd: existsSync(cwd) ? cwd : "/",
    // Node copies this variable from its own environment into every other, unless it is there.
    env: { NODE_V8_COVERAGE: undefined, ...env },
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  child.on("error", () => undefined);
  child.unref();
}

/** The folder may have been removed while the agent was in it. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? "/";
  }
}

/** Reads the payload on standard input; rejects when it is not complete in time. */
async function readStdin(leftMs: number): Promise<string> {
  return isFile() ? readFileSync(0, "utf8") : readText(process.stdin, leftMs);
}

function isFile(): boolean {
  try {
    return fstatSync(0).isFile();
  } catch {
    return false;
  }
}

/** How often it is checked whether the installed script still runs. */
const CHECK_MS = 100;

/** The exit code of a complete answer: the client's own, or what proves to the installed script that the answer is complete. */
function completeExit(exit: 0 | 2, wrapper: number | undefined): number {
  if (wrapper === undefined) return exit;
  return exit === 0 ? COMPLETE.passed : COMPLETE.refused;
}

/**
 * Calls `ended` once the installed script is gone: a signal ends the script at once, and SIGKILL without a word to this process. `wrapper`
 * is the script's process, and the parent a subshell of it. On Windows the script does not know its process (0), and is the parent.
 */
function watchWrapper(wrapper: number, ended: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent || !isRunning(wrapper || parent)) ended();
  }, CHECK_MS).unref();
}

/** A client that reads slowly has at least this time, also when its deadline has passed. */
const LEAST_MS = 1_000;

/**
 * Writes all of a text to an output of this process until `deadline`, by `performance.now()`. False when the client has closed its end,
 * or did not read in time: a write that blocks would have no deadline, and would keep signals from being handled.
 */
function writeAll(to: "stdout" | "stderr", text: string, deadline: number): Promise<boolean> {
  if (text === "") return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(LEAST_MS, deadline - performance.now()), false);
    const finish = (isWritten: boolean) => {
      clearTimeout(timer);
      resolve(isWritten);
    };
    try {
      process[to].once("error", () => finish(false)).write(text, (error) => finish(error == null));
    } catch {
      // A file or device that nothing can be written to.
      finish(false);
    }
  });
}
