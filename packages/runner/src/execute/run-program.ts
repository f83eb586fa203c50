import { fileURLToPath } from "node:url";
import {
  environmentWithoutSecrets,
  FLOOD_LIMIT,
  OutputHead,
  type ProcessExit,
  runProcess,
} from "@tenterhook/engine/process";
import { LONGEST_TIMER_MS, messageOf, onAbort } from "@tenterhook/internal";
import { LogLines } from "../events/log-lines.ts";
import type { Machine } from "../machine/machine.ts";
import { runVariable } from "./current-run.ts";
import type { Ending, Finished } from "./ending.ts";
import { readOutput } from "./read-output.ts";
import type { Task } from "./task.ts";

/** A result is sent in one body, of which the coordinator accepts a mebibyte by default. */
const MAX_OUTPUT = 8 * 1024 * 1024;

// The compiled file, also for tests that run from the sources: a process of its own has no TypeScript.
const MODULE_HOST = fileURLToPath(new URL("../../dist/execute/module-host.js", import.meta.url));

/**
 * Executes a run of a procedural agent: parameters as JSON on standard input, the result as JSON on standard output, and log lines on
 * standard error. It has a process group of its own, which ends with it.
 */
export async function runProgram(task: Task, machine: Machine, workDir: string): Promise<Finished> {
  const { run, signal } = task;
  if (signal.aborted) return finished({ type: "stopped", reason: messageOf(signal.reason) });
  const [program, ...args] = readCommand(task, machine);
  const stdout = new OutputHead(MAX_OUTPUT);
  const stderr = new LogLines((text) => task.report({ type: "log", data: { source: "stderr", text } }));
  const exit = await runProcess(program ?? "", args, {
    cwd: workDir,
    env: createEnvironment(task, machine),
    input: JSON.stringify(run.parameters),
    // The coordinator ends a run whose time is up, through the signal.
    timeoutMs: LONGEST_TIMER_MS,
    stdout,
    stderr,
    onAbort: (listener) => onAbort(signal, listener),
  });
  stderr.end();
  const failure = describeFailure(exit, stdout, stderr.tail, signal);
  return finished(failure ?? readOutput(String(stdout), run.blueprint.output_schema));
}

/** When a program has ended, its whole process group is ended. */
function finished(ending: Ending): Finished {
  return { ending, background: Promise.resolve() };
}

function readCommand({ run: { blueprint } }: Task, { baseDir }: Machine): readonly string[] {
  const { command, module } = blueprint;
  if (command !== undefined) return command;
  if (module === undefined) throw new Error("a procedural agent has a command or a module");
  return [process.execPath, MODULE_HOST, module, baseDir];
}

function createEnvironment({ run }: Task, { env, allowedSecrets }: Machine): Record<string, string> {
  return {
    ...environmentWithoutSecrets(allowedSecrets, env),
    TENTERHOOK_AGENT: run.agent_name,
    ...runVariable(run),
    TENTERHOOK_SESSION_ID: run.session_id,
    TENTERHOOK_ATTEMPT: String(run.attempt),
  };
}

function describeFailure(
  { startError, aborted, flooded, code, signal: endedBy }: ProcessExit,
  stdout: OutputHead,
  stderr: string,
  signal: AbortSignal,
): Ending | undefined {
  if (aborted) return { type: "stopped", reason: messageOf(signal.reason) };
  const failed = (error: string): Ending => ({ type: "failed", error, errorCode: "program_failed" });
  if (startError !== undefined) return failed(`it could not be started: ${messageOf(startError)}`);
  const last = stderr === "" ? ", without any output" : `:\n${stderr}`;
  if (flooded) return failed(`it printed more than ${FLOOD_LIMIT} bytes, and was ended`);
  if (stdout.isCut) return failed(`it printed more than ${MAX_OUTPUT} bytes to standard output`);
  if (endedBy !== null) return failed(`it was ended by ${endedBy}${last}`);
  return code === 0 ? undefined : failed(`it ended with exit code ${code}${last}`);
}
