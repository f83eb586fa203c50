import { OutputHead, type ProcessExit, type ProcessOptions, runProcess } from "@tenterhook/engine/process";

/** How a hook's process ended, and what it said. */
export interface HookExit extends ProcessExit {
  readonly stdout: string;
  readonly stderr: string;
  /** There was more than is kept. */
  readonly stdoutCut: boolean;
}

const STDOUT_LIMIT = 1024 * 1024;
const STDERR_LIMIT = 64 * 1024;

/** Runs a hook's process and collects what it says, up to a limit. */
export async function runHookProcess(
  command: string,
  args: readonly string[],
  options: Omit<ProcessOptions, "stdout" | "stderr">,
): Promise<HookExit> {
  const stdout = new OutputHead(STDOUT_LIMIT);
  const stderr = new OutputHead(STDERR_LIMIT);
  const exit = await runProcess(command, args, { ...options, stdout, stderr });
  return { ...exit, stdout: stdout.toString(), stderr: stderr.toString(), stdoutCut: stdout.isCut };
}
