import { constants } from "node:os";
import { environmentWithoutSecrets, type ProcessExit, runProcess } from "@tenterhook/engine/process";
import { messageOf, TenterhookError } from "@tenterhook/protocol";
import { LONGEST_TIMER_MS, onAbort } from "@tenterhook/protocol/support";
import { type BuiltInTool, type FileToolOptions, inputSchema } from "./built-in-tool.ts";
import { ClippedOutput } from "./clipped-output.ts";
import { throwIfAborted } from "./failure.ts";
import { WorkFolder } from "./work-folder.ts";

export interface ShellInput {
  readonly command: string;
  readonly timeout_ms?: number;
}

export interface ShellOptions {
  /** The most that a command may take, and what it gets unless it asks for less. Default 120,000. */
  readonly timeoutMs?: number | undefined;
  /** How many bytes of each output are kept, half from its beginning and half from its end. Default 30,000. */
  readonly maxOutput?: number | undefined;
  /** Variables that commands may see although their names look like secrets. */
  readonly env?: readonly string[] | undefined;
}

/** How a command ended. Any exit code is a result; what the model makes of it is up to the model. */
export interface ShellResult {
  /** As a shell would say it: 128 and the signal's number for a command that a signal ended. */
  readonly exit_code: number;
  readonly signal?: NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

const SHELL =
  process.platform === "win32"
    ? { program: "cmd", flags: ["/d", "/s", "/c"] }
    : { program: "sh", flags: ["-c"] };

const TIMEOUT_MS = 120_000;
const MAX_OUTPUT = 30_000;
const MARGIN_MS = 5_000;
const SHOWN_ON_TIMEOUT = 2_000;

/**
 * A tool that runs a command in the work folder, in a process group of its own that is ended when the command takes too
 * long, prints without end, or is no longer wanted.
 *
 * It is no sandbox. The work folder is only where a command starts: it may read, write and delete whatever this process
 * may, anywhere, use the network, and leave processes behind. Guard it with hooks, or run the host in a container.
 */
export function shellTool(
  options: ShellOptions & FileToolOptions = {},
): BuiltInTool<ShellInput, ShellResult> {
  const { timeoutMs: most = TIMEOUT_MS, maxOutput = MAX_OUTPUT, env = [] } = options;
  requireOptions(most, maxOutput);
  const { program, flags } = SHELL;
  return {
    description: `Runs a command with ${program} in the work folder, without input, for at most ${most} ms. Gives its exit code and what it printed, of long outputs the beginning and the end.`,
    inputSchema: inputSchema(
      { command: { type: "string", minLength: 1, description: "The command." } },
      {
        timeout_ms: {
          type: "integer",
          minimum: 1,
          description: `End it after so many milliseconds. Default, and at most, ${most}.`,
        },
      },
    ),
    // The command is ended before the agent's patience is, so that the model learns what it had printed.
    timeoutMs: Math.min(most + MARGIN_MS, LONGEST_TIMER_MS),
    async execute({ command, timeout_ms = most }, { workDir, abortSignal }) {
      const { root } = await WorkFolder.open(options.workDir ?? workDir);
      throwIfAborted(abortSignal);
      const timeoutMs = Math.min(timeout_ms, most);
      const stdout = new ClippedOutput(maxOutput);
      const stderr = new ClippedOutput(maxOutput);
      const exit = await runProcess(program, [...flags, command], {
        cwd: root,
        env: environmentWithoutSecrets(env),
        timeoutMs,
        stdout,
        stderr,
        onAbort: (listener) => onAbort(abortSignal, listener),
      });
      requireEnd(exit, timeoutMs, `${stdout}${stderr}`);
      return { ...ending(exit), stdout: String(stdout), stderr: String(stderr) };
    },
  };
}

function requireEnd({ startError, aborted, timedOut, flooded }: ProcessExit, ms: number, said: string): void {
  if (startError !== undefined) {
    const message = `the command could not be started: ${messageOf(startError)}.`;
    throw new TenterhookError("tool_failed", message, { cause: startError });
  }
  if (aborted) throw new TenterhookError("tool_failed", "the command was cancelled, and ended.");
  // The cut may have gone through a character; half of one is no text.
  const last = said
    .slice(-SHOWN_ON_TIMEOUT)
    .replace(/^[\udc00-\udfff]/, "")
    .trim();
  const hint = last === "" ? "It had printed nothing." : `The last it printed:\n${last}`;
  if (timedOut) {
    throw new TenterhookError("tool_timeout", `the command did not end within ${ms} ms, and was ended.`, {
      hint,
    });
  }
  if (flooded)
    throw new TenterhookError("tool_failed", "the command printed without end, and was ended.", { hint });
}

function ending({ code, signal }: ProcessExit): Pick<ShellResult, "exit_code" | "signal"> {
  if (signal === null) return { exit_code: code ?? 1 };
  return { exit_code: 128 + constants.signals[signal], signal };
}

function requireOptions(timeoutMs: number, maxOutput: number): void {
  if (!(timeoutMs >= 1 && timeoutMs <= LONGEST_TIMER_MS)) {
    throw new TenterhookError("bad_timeout", `Shell: timeoutMs must be between 1 and ${LONGEST_TIMER_MS}.`);
  }
  if (!(Number.isSafeInteger(maxOutput) && maxOutput >= 1)) {
    throw new TenterhookError("bad_agent", "Shell: maxOutput must be a whole number of bytes, at least 1.");
  }
}
