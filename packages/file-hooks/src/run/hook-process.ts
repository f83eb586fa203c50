import { OutputHead, type ProcessExit, type ProcessOptions, runProcess } from "@tenterhook/engine/process";
import { decodeAs, encodingOf, type Printed, PrintedOutput } from "../reply/printed-output.ts";

/** How a hook's process ended, and what it printed. */
export interface HookExit extends ProcessExit {
  readonly stdout: Printed;
  readonly stderr: string;
}

const STDOUT_LIMIT = 1024 * 1024;
const STDERR_LIMIT = 64 * 1024;
/** Of what comes after the limit, this much of the end is kept for the log. */
const STDOUT_END = 64 * 1024;

/** Runs a hook's process and collects what it prints, up to a limit. */
export async function runHookProcess(
  command: string,
  args: readonly string[],
  options: Omit<ProcessOptions, "stdout" | "stderr">,
): Promise<HookExit> {
  const stdout = new PrintedOutput(STDOUT_LIMIT, STDOUT_END);
  const stderr = new OutputHead(STDERR_LIMIT);
  const exit = await runProcess(command, args, { ...options, stdout, stderr });
  return { ...exit, stdout: stdout.printed, stderr: formatStderr(stderr) };
}

function formatStderr({ head, total }: OutputHead): string {
  const text = decodeAs(encodingOf(head), head);
  return total === head.length ? text : `${text}\n… (${total - head.length} bytes left out)\n`;
}
