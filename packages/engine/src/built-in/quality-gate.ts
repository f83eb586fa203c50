import { messageOf } from "@tenterhook/internal";
import { type Block, block, type EventName } from "@tenterhook/protocol";
import type { Context } from "../context/hook-context.ts";
import type { Hooks, Unregister } from "../hooks.ts";
import { OutputTail, type ProcessExit, runProcess } from "../process/run-process.ts";
import { badOption, checkNumber, checkOptions } from "./check-options.ts";

/** `true` or nothing passes; `false`, or a text with the reason, does not. It may throw: then the gate could not check it. */
// biome-ignore lint/suspicious/noConfusingVoidType: a check that only throws is written as a function without a return.
export type GateResult = boolean | string | undefined | void;
/** Checks whether the agent may stop. */
export type GateCheck = (context: Context<EventName>) => GateResult | Promise<GateResult>;

/** A program that checks whether the agent may stop. */
export interface GateCommand {
  /** The program and its arguments; no shell reads them. Exit code 0 passes, anything else does not. */
  readonly command: readonly string[];
  /** Default: the event's `workDir`, else the process's directory. */
  readonly cwd?: string;
  /** Then the command and what it started are ended, and it has failed. Default 300,000. */
  readonly timeoutMs?: number;
}

/** What a quality gate checks, and how often it keeps the agent running. */
export interface QualityGateOptions {
  readonly check: GateCheck | GateCommand;
  /** Default `quality-gate`. */
  readonly name?: string;
  /** Default `["before_stop"]`. */
  readonly events?: readonly EventName[];
  /** How many bytes of a command's output become feedback, from its end. Default 8,192. */
  readonly maxOutput?: number;
}

const NAME = "quality-gate";
const TIMEOUT_MS = 300_000;
const LONGEST_TIMEOUT_MS = 2_000_000_000;
const MAX_OUTPUT = 8_192;
const MARGIN_MS = 5_000;

/** Keeps the agent running until a check passes; the reason is the agent's feedback. */
export function qualityGate(hooks: Hooks, options: QualityGateOptions): Unregister {
  checkQualityGate(options);
  const { check, name = NAME, events = ["before_stop"], maxOutput = MAX_OUTPUT } = options;
  const isFunction = typeof check === "function";
  const judge = isFunction ? functionCheck(check, name) : commandCheck(check, name, maxOutput);
  const timeoutMs = isFunction ? TIMEOUT_MS : (check.timeoutMs ?? TIMEOUT_MS);
  // The command is ended before the hook's own time is up, so that the agent gets its output.
  return hooks.on([...events], judge, { name, timeoutMs: timeoutMs + MARGIN_MS });
}

function functionCheck(
  check: GateCheck,
  name: string,
): (context: Context<EventName>) => Promise<Block | undefined> {
  return async (context) => {
    const result: unknown = await check(context);
    if (result === undefined || result === true) return undefined;
    if (result === false || result === "") return block(`${name} is not satisfied.`);
    if (typeof result === "string") return block(result);
    throw new TypeError(`its check returned ${String(result)} instead of true, false or a reason`);
  };
}

function commandCheck(
  { command, cwd, timeoutMs = TIMEOUT_MS }: GateCommand,
  name: string,
  maxOutput: number,
): (context: Context<EventName>) => Promise<Block | undefined> {
  const [program = "", ...args] = command;
  return async (context) => {
    const { workDir } = context.payload as { readonly workDir?: string };
    const folder = cwd ?? workDir ?? process.cwd();
    const output = new OutputTail(maxOutput);
    const onAbort = (listener: () => void) => context.onAbort(listener);
    const exit = await runProcess(program, args, {
      cwd: folder,
      timeoutMs,
      stdout: output,
      stderr: output,
      onAbort,
    });
    if (exit.startError !== undefined) {
      const why = messageOf(exit.startError);
      throw new Error(`"${program}" cannot be started in ${folder}: ${why}`, { cause: exit.startError });
    }
    if (exit.aborted) throw new Error(`"${command.join(" ")}" was cancelled`);
    if (exit.code === 0 && !exit.timedOut && !exit.flooded) return undefined;
    const text = output.toString();
    const ending = text === "" ? "It printed nothing." : `Its output ends with:\n${text}`;
    return block(
      `${name} is not satisfied: "${command.join(" ")}" ${exitInWords(exit, timeoutMs)}. ${ending}`,
    );
  };
}

function exitInWords({ code, signal, timedOut, flooded }: ProcessExit, timeoutMs: number): string {
  if (timedOut) return `did not finish within ${timeoutMs} ms and was ended`;
  if (flooded) return "printed without end and was ended";
  return code === null ? `was ended by ${signal}` : `exited with code ${code}`;
}

function checkQualityGate(options: QualityGateOptions): void {
  checkOptions(NAME, options, ["check", "name", "events", "maxOutput"]);
  checkNumber(NAME, "maxOutput", options.maxOutput, { least: 1, whole: true });
  const { check } = options;
  if (typeof check === "function") return;
  checkOptions(NAME, check, ["command", "cwd", "timeoutMs"]);
  const { command, timeoutMs } = check;
  if (!Array.isArray(command) || !command.every((word) => typeof word === "string") || !command[0]) {
    throw badOption(
      NAME,
      "command must be a list: the program, then its arguments.",
      'Write ["npm", "test"].',
    );
  }
  checkNumber(NAME, "timeoutMs", timeoutMs, { least: 1, whole: false });
  if (timeoutMs !== undefined && timeoutMs > LONGEST_TIMEOUT_MS) {
    throw badOption(NAME, `timeoutMs must be at most ${LONGEST_TIMEOUT_MS}.`);
  }
}
