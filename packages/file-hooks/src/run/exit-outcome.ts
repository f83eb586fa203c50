import type { ProcessExit } from "@tenterhook/engine/process";
import { shortened } from "@tenterhook/internal";
import { block, type EventName, TenterhookError } from "@tenterhook/protocol";
import { readMention } from "../reply/answer.ts";
import type { Printed } from "../reply/printed-output.ts";
import { type ProcessOutcome, readReply } from "../reply/read-reply.ts";

/** How a hook's process ended, and what it printed. */
export interface HookExit extends ProcessExit {
  readonly stdout: Printed;
  readonly stderr: string;
}

/** The longest reason; a model need not read a log file. */
const LONGEST_REASON = 8_000;

/** The outcome of a hook's process that has ended; a failure is thrown. */
export function outcomeOfExit(event: EventName, exit: HookExit, timeoutMs: number): ProcessOutcome {
  if (exit.startError !== undefined) throw notStarted(exit.startError);
  if (exit.timedOut)
    throw new TenterhookError("hook_timeout", `it did not end within ${timeoutMs} ms, and was ended.`);
  if (exit.aborted) throw new TenterhookError("hook_cancelled", "it was cancelled, and was ended.");
  if (exit.flooded) throw new TenterhookError("hook_output", "it printed more than 64 MiB, and was ended.");
  if (exit.signal !== null)
    throw new TenterhookError("hook_killed", `it was ended by ${exit.signal}.${readStderr(exit)}`);
  if (exit.code === 2) return { outcome: block(readReason(exit) || "blocked, no reason given") };
  if (exit.code !== 0)
    throw new TenterhookError("hook_exit", `it ended with exit code ${exit.code}.${readStderr(exit)}`);
  return withStderrNote(readReply(event, exit.stdout), exit.stderr);
}

/** On exit 0 standard error is never read as an answer: it is where traces and debug output go. A note informs the author. */
function withStderrNote(read: ProcessOutcome, stderr: string): ProcessOutcome {
  if (stderr === "" || read.outcome.type !== "proceed" || readMention(stderr) === undefined) return read;
  const note =
    "it printed an answer on stderr, where none is read; print it on stdout, or exit with 2 to refuse";
  return { ...read, notes: [...(read.notes ?? []), note] };
}

function notStarted(error: NodeJS.ErrnoException): TenterhookError {
  const program = error.path ?? "its program";
  const why =
    error.code === "ENOENT"
      ? `${program} was not found; install it, or correct the script's #! line`
      : error.code === "EACCES"
        ? `${program} may not be executed; make it executable with chmod +x`
        : error.message;
  return new TenterhookError("hook_not_started", `it could not be started: ${why}.`, { cause: error });
}

function readReason({ stderr }: HookExit): string {
  return shortened(withoutModuleWarning(stderr).trim(), LONGEST_REASON);
}

function readStderr({ stderr }: HookExit): string {
  const text = withoutModuleWarning(stderr).trim();
  return text === "" ? "" : ` Its stderr ends with: ${text.slice(-500)}`;
}

/**
 * Node warns on standard error when it takes the module type of a script from its syntax and there is a package.json that states none, as
 * above private copies. The warning is about that file and not a part of the hook's reason.
 */
const WARNING =
  /^\(node:\d+\) \[MODULE_TYPELESS_PACKAGE_JSON\] Warning: .*\n(?:Reparsing as ES module .*\n|To eliminate this warning, .*\n|\(Use `.*` to show where the warning was created\)\n)*/gm;

/** What a script printed on standard error, without that warning. */
export function withoutModuleWarning(stderr: string): string {
  return stderr.includes("[MODULE_TYPELESS_PACKAGE_JSON]") ? stderr.replaceAll(WARNING, "") : stderr;
}
