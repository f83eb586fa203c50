import { writeSync } from "node:fs";
import { bridge } from "@tenterhook/bridges/bridge";
import { replacePlainFile } from "@tenterhook/file-hooks";
import type { BridgeOptions } from "./options.ts";
import { readStdin } from "./read-stdin.ts";

/** Runs the bridge, which a client starts as its hook: its JSON on standard input, its answer on standard output. */
export async function runBridge(
  { job, env, pins, ...given }: BridgeOptions,
  keepCompiled: (replaceFile: typeof replacePlainFile) => void,
): Promise<void> {
  if (job !== undefined) return (await import("./run-job.ts")).runJob(job, env);
  const answer = await bridge({
    ...given,
    waitingSince: 0,
    stdin: (leftMs) => readStdin(leftMs, listenToSignals),
    beforeHooks: listenToSignals,
    cwd: workingFolder(),
    env,
    startJob: async (path) => (await import("./start-job.ts")).startJob(path, pins),
  });
  write(2, answer.stderr);
  const isWritten = write(1, answer.stdout);
  // A question or a changed input that did not arrive must not let the call run as it was.
  if (!isWritten) write(2, "tenterhook: the agent closed its end before it was answered\n");
  keepCompiled(replacePlainFile);
  exit(isWritten ? answer.exit : 2);
}

/** The client must not wait any longer: everything that still runs ends with this process. */
function exit(code: number): never {
  // What `process.exit` calls when it has told those who listen. To tell no one takes a hundredth of a call.
  const { reallyExit } = process as { reallyExit?: (code: number) => never };
  if (process.listenerCount("exit") === 0) reallyExit?.call(process, code);
  return process.exit(code);
}

/** Called before this process waits for anything: without waiting it ends before a signal would matter. */
function listenToSignals(): void {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    if (process.listenerCount(signal) === 0) process.once(signal, endEarly);
}

/** The client no longer waits. Exiting here ends the hooks that run; the signal's default would leave them behind. */
function endEarly(): void {
  write(2, "tenterhook: the agent ended the bridge before its hooks had answered\n");
  process.exit(2);
}

/** The folder may have been removed while the agent was in it. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? "/";
  }
}

/** Writes all of it, also to a pipe that is read slowly; false when the client no longer listens. */
function write(to: 1 | 2, text: string): boolean {
  if (text === "") return true;
  let left = Buffer.from(text);
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(to, left));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return false;
    }
  }
  return true;
}
