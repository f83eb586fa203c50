import type { Context } from "@tenterhook/engine";
import { askIfUnreadable } from "@tenterhook/engine/internal";
import { OutputHead, type ProcessOptions, runProcess } from "@tenterhook/engine/process";
import { messageOf, shortened } from "@tenterhook/internal";
import { isFolder } from "@tenterhook/internal/files";
import type { EventName, HookFile, Outcome, Payload, RuleAction } from "@tenterhook/protocol";
import { block, eventRow, TenterhookError } from "@tenterhook/protocol";
import { decode, PrintedOutput } from "../reply/printed-output.ts";
import type { ProcessOutcome } from "../reply/read-reply.ts";
import { effectsFor } from "./effects-for.ts";
import { allowedNames, environmentFor, lengthNotes } from "./environment.ts";
import { type HookExit, outcomeOfExit } from "./exit-outcome.ts";
import type { Start } from "./interpreter.ts";
import { type RunLocation, startOf } from "./script-start.ts";
import { sessionFolder } from "./session-folder.ts";
import { stdinEvent } from "./stdin-event.ts";
import { surroundingsOf } from "./surroundings.ts";

export interface RunHookOptions {
  /** Of the dispatch that calls the hook: what its matcher found, how it is ended, and for hooks with `always` how the sync hooks ended. */
  readonly context?: Context<EventName>;
  /** Given all that an async hook printed: its output decides nothing, and is kept for the log. */
  readonly onOutput?: (text: string) => void;
}

/**
 * Runs a hook's script for an event. A failure is thrown; `hook_tampered` when something outside the hook's folder keeps it
 * from running as its author, or the person who trusted it, intended.
 */
export async function runHook<E extends EventName>(
  hook: HookFile,
  event: E,
  payload: Payload<E>,
  location: RunLocation,
  { context, onOutput }: RunHookOptions = {},
): Promise<ProcessOutcome> {
  if (hook.action !== undefined) return { outcome: ruleOutcome(hook.action, hook, context) };
  const { sessionId = "", workDir } = payload as { sessionId?: string; workDir?: string };
  const { env: inherited = process.env } = location;
  const around = surroundingsOf(
    [
      location.projectDir,
      ...(location.projects ?? []),
      ...(workDir === undefined || workDir === location.projectDir ? [] : [workDir]),
    ],
    inherited,
  );
  const { folder, start } = startOf(hook, location, around);
  const cwd = [workDir, location.projectDir].find((each) => each !== undefined && isFolder(each)) ?? folder;
  const environment = environmentFor(
    {
      hookDir: folder,
      projectDir: location.projectDir,
      sessionId,
      event,
      stateDir: sessionFolder(location.state, sessionId, inherited),
      home: location.home ?? inherited.HOME,
    },
    allowedNames(hook.metadata),
    around,
    inherited,
  );
  // The copy must stay what it is.
  const isCopy = folder !== location.folder;
  const env = isCopy ? { ...environment.variables, PYTHONDONTWRITEBYTECODE: "1" } : environment.variables;
  let input: string;
  try {
    const effects = await effectsFor(hook, context);
    const outcome = context?.outcome;
    input = stdinEvent(event, payload, { workDir: workDir ?? location.projectDir, outcome, effects });
  } catch (error) {
    return unwritable(hook, event, error);
  }
  const run = (workingFolder: string) =>
    runHookProcess(start.command, start.args, {
      cwd: workingFolder,
      env,
      input,
      timeoutMs: hook.timeoutMs,
      ...(context !== undefined && { onAbort: (listener) => context.onAbort(listener) }),
    });
  const first = await run(cwd);
  // The working directory may have been removed by now; a guard must run nevertheless.
  const exit = first.startError !== undefined && cwd !== folder ? await run(folder) : first;
  if (location.copy !== undefined) requireStarted(exit, start);
  if (hook.mode === "background") reportOutput(exit, onOutput);
  const notes = lengthNotes(environment);
  const answer = outcomeOfExit(event, exit, hook.timeoutMs);
  return notes.length === 0 ? answer : { ...answer, notes: [...(answer.notes ?? []), ...notes] };
}

/** What a rule without a script answers, with the effect that it is about. A line that cannot be read is a question. */
function ruleOutcome(
  action: RuleAction,
  { enforce }: HookFile,
  context: Context<EventName> | undefined,
): Outcome {
  const match = context?.match;
  if (context === undefined || match === undefined) return action;
  const separator = /[.!?]$/.test(action.reason) ? " It" : ": it";
  const outcome = { ...action, reason: `${action.reason}${separator} ${match.description}` };
  return askIfUnreadable(context, outcome, enforce !== false) as Outcome;
}

const STDOUT_LIMIT = 1024 * 1024;
const STDERR_LIMIT = 64 * 1024;
/** Of what comes after the limit, this much of the end is kept for the log. */
const STDOUT_END = 64 * 1024;

/** Runs a hook's process and collects what it prints, up to a limit. */
async function runHookProcess(
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
  const text = decode(head);
  return total === head.length ? text : `${text}\n… (${total - head.length} bytes left out)\n`;
}

/** A trusted hook could be started when it was trusted, so the cause is outside its folder. */
function requireStarted({ startError }: HookExit, { script }: Start): void {
  if (startError === undefined) return;
  throw new TenterhookError("hook_tampered", `it could not be started: ${script}: ${startError.message}.`);
}

/**
 * An event that cannot be written for the script, because it is too deep or too long. It is not a failure of the hook, whose
 * `onError` could let pass what the hook has not seen. What can be refused is refused; for a hook that only observes the lost
 * event is thrown, and so reported.
 */
function unwritable(hook: HookFile, event: EventName, error: unknown): ProcessOutcome {
  const what = `the hook "${hook.name}" could not be shown the event: ${messageOf(error)}`;
  const canRefuse = hook.mode === "sync" && eventRow(event).block.action !== "record";
  if (canRefuse) return { outcome: block(what) };
  throw new TenterhookError("json_limit", what, { cause: error });
}

/** The longest output that is logged. */
const LONGEST = 8_000;

/** Logs what a process printed, standard output first; an empty one is left out. */
function reportOutput({ stdout, stderr }: HookExit, onOutput?: (text: string) => void): void {
  for (const text of [stdout.text, stderr].map((part) => part.trim()))
    if (text !== "") onOutput?.(shortened(text, LONGEST));
}
