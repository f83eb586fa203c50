import { constants } from "node:os";
import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";
import {
  environmentWithoutSecrets,
  OutputEnds,
  type ProcessExit,
  runProcess,
} from "@tenterhook/engine/process";
import { LONGEST_TIMER_MS, messageOf, onAbort } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { type BuiltInTool, type FileToolOptions, inputSchema, throwIfAborted } from "./built-in-tool.ts";
import { WorkFolder } from "./work-folder.ts";

/** The input of `Shell`. */
export interface ShellInput {
  readonly command: string;
  readonly timeout_ms?: number;
}

/** The shell's limits of time and output, and its environment. */
export interface ShellOptions {
  /** The maximum, and default, time of a command. Default 120,000. */
  readonly timeoutMs?: number | undefined;
  /** The bytes kept of each output, half from its start and half from its end. Default 30,000. */
  readonly maxOutput?: number | undefined;
  /** Variables that commands may see although their names look like secrets. */
  readonly env?: readonly string[] | undefined;
  /** Variables that commands get beside those of this process. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/** How a command ended. Any exit code is a result, not an error. */
export interface ShellResult {
  /** As in a shell: 128 plus the signal's number if a signal ended the command. */
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
 * A tool that runs a command in the work folder, in its own process group, which is killed when the command times out, prints too
 * much, or is cancelled.
 *
 * It is not a sandbox. A command only starts in the work folder: it may read, write and delete every file that this process may,
 * use the network, and leave processes behind. Guard it with hooks, or run the host in a container.
 */
export function shellTool(
  options: ShellOptions & FileToolOptions = {},
): BuiltInTool<ShellInput, ShellResult> {
  const { timeoutMs: maxMs = TIMEOUT_MS, maxOutput = MAX_OUTPUT, env = [], variables } = options;
  checkOptions(maxMs, maxOutput);
  const { program, flags } = SHELL;
  return {
    description: `Runs a command with ${program} in the work folder, without input, for at most ${maxMs} ms. Gives its exit code and what it printed, of long outputs the beginning and the end.`,
    inputSchema: inputSchema(
      { command: { type: "string", minLength: 1, description: "The command." } },
      {
        timeout_ms: {
          type: "integer",
          minimum: 1,
          description: `End it after so many milliseconds. Default, and at most, ${maxMs}.`,
        },
      },
    ),
    // The command times out before the agent's own timeout, so that the model gets its output.
    timeoutMs: Math.min(maxMs + MARGIN_MS, LONGEST_TIMER_MS),
    async execute({ command, timeout_ms = maxMs }, { workDir, abortSignal }) {
      const { root } = await WorkFolder.open(options.workDir ?? workDir);
      throwIfAborted(abortSignal);
      const timeoutMs = Math.min(timeout_ms, maxMs);
      const stdout = new ClippedOutput(maxOutput);
      const stderr = new ClippedOutput(maxOutput);
      const exit = await runProcess(program, [...flags, command], {
        cwd: root,
        env: { ...environmentWithoutSecrets(env), ...variables },
        timeoutMs,
        stdout,
        stderr,
        onAbort: (listener) => onAbort(abortSignal, listener),
      });
      throwUnlessEnded(exit, timeoutMs, `${stdout}${stderr}`);
      return { ...ending(exit), stdout: String(stdout), stderr: String(stderr) };
    },
  };
}

function throwUnlessEnded(
  { startError, aborted, timedOut, flooded }: ProcessExit,
  ms: number,
  printed: string,
): void {
  if (startError !== undefined) {
    const message = `the command could not be started: ${messageOf(startError)}.`;
    throw new TenterhookError("tool_failed", message, { cause: startError });
  }
  if (aborted) throw new TenterhookError("tool_failed", "the command was cancelled, and ended.");
  // The slice may have cut a surrogate pair.
  const last = printed
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

function checkOptions(timeoutMs: number, maxOutput: number): void {
  if (!(timeoutMs >= 1 && timeoutMs <= LONGEST_TIMER_MS)) {
    throw new TenterhookError("bad_timeout", `Shell: timeoutMs must be between 1 and ${LONGEST_TIMER_MS}.`);
  }
  if (!(Number.isSafeInteger(maxOutput) && maxOutput >= 1)) {
    throw new TenterhookError("bad_agent", "Shell: maxOutput must be a whole number of bytes, at least 1.");
  }
}

/** Keeps the start and the end of an output, half each: the start shows what a command did, the end how it went. */
export class ClippedOutput extends OutputEnds {
  /** `limit` is in bytes. */
  constructor(limit: number) {
    super(Math.ceil(limit / 2), Math.floor(limit / 2));
  }

  /** As text, without colours, with a note where bytes were dropped. */
  override toString(): string {
    const { head } = this;
    if (!this.isCut) return stripVTControlCharacters(Buffer.concat([head, this.tail]).toString("utf8"));
    const tail = this.tailFromCharacter;
    const omitted = this.total - head.length - tail.length;
    // The cut may have gone through a character: the decoder withholds its first bytes.
    const beginning = stripVTControlCharacters(new StringDecoder("utf8").write(head));
    const end = stripVTControlCharacters(tail.toString("utf8"));
    return `${beginning}\n… (${omitted} bytes left out here) …\n${end}`;
  }
}
