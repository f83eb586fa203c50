import { type ProcessExit, type ProcessOptions, runProcess } from "@tenterhook/engine/process";
import type { Printed } from "../answer/read-output.ts";
import { PrintedOutput } from "./printed-output.ts";

/** How a hook's process ended, and what it printed. */
export interface HookExit extends ProcessExit {
  readonly stdout: Printed;
  readonly stderr: string;
}

const STDOUT_LIMIT = 1024 * 1024;
const STDERR_LIMIT = 64 * 1024;
/** Of what comes after the limit, this much of the end is kept: an answer is often the last thing that a hook prints. */
const STDOUT_END = 64 * 1024;

/** Runs a hook's process and collects what it prints, up to a limit. */
export async function runHookProcess(
  command: string,
  args: readonly string[],
  options: Omit<ProcessOptions, "stdout" | "stderr">,
): Promise<HookExit> {
  const stdout = new PrintedOutput(STDOUT_LIMIT, STDOUT_END);
  const stderr = new PrintedOutput(STDERR_LIMIT, 0);
  const exit = await runProcess(command, args, { ...options, stdout, stderr });
  return { ...exit, stdout: stdout.printed, stderr: stderr.printed.text };
}
