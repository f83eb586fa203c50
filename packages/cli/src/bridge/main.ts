import { bridge } from "@tenterhook/bridges/bridge";
import { replacePlainFile } from "@tenterhook/internal/files";
import type { BridgeOptions } from "./options.ts";
import { readStdin } from "./read-stdin.ts";
import { completeExit, watchWrapper } from "./wrapper.ts";
import { writeAll } from "./write-all.ts";

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
    startJob: async (path) => (await import("./start-job.ts")).startJob(path, { pins, env }, cwd),
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

/** The folder may have been removed while the agent was in it. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? "/";
  }
}
