import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Context } from "@tenterhook/engine";
import { askIfUnreadable, effectsOfCall, loadEffects, type MatchedEffect } from "@tenterhook/engine/internal";
import { OutputHead, type ProcessExit, type ProcessOptions, runProcess } from "@tenterhook/engine/process";
import {
  checkJson,
  findInexactNumber,
  JSON_DOCUMENT_LIMITS,
  messageOf,
  shortened,
} from "@tenterhook/internal";
import { isFolder, makeFolders, removeUnusedDaily } from "@tenterhook/internal/files";
import {
  block,
  type EventName,
  eventRow,
  type HookFile,
  type Outcome,
  type Payload,
  reasonOf,
  TenterhookError,
} from "@tenterhook/protocol";
import { listMatchers, type RuleAction, toWire } from "@tenterhook/protocol/internal";
import { type Environment, temporaryFor } from "../discover/locations.ts";
import { readMention } from "../reply/answer.ts";
import { decode, type Printed, PrintedOutput } from "../reply/printed-output.ts";
import { type ProcessOutcome, readReply } from "../reply/read-reply.ts";
import { allowedNames, environmentFor, lengthNotes } from "./environment.ts";
import { type RunLocation, type Start, startOf } from "./script-start.ts";
import { surroundingsOf } from "./surroundings.ts";

interface RunHookOptions {
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

/**
 * The folder that the hooks of a session share, for values as files. Made when first needed. A hook must run even
 * where it cannot be made: then it is a temporary one, and at worst there is none.
 */
export function sessionFolder(state: string, sessionId: string, env: Environment = process.env): string {
  const sessions = join(state, "sessions");
  const folder = join(sessions, nameFor(sessionId));
  try {
    // True only when it was made just now, which is a good moment to remove old ones.
    if (makeFolders(folder)) removeUnusedDaily(sessions);
    return folder;
  } catch {
    return temporaryOrNone(folder, env);
  }
}

/**
 * A session id comes from outside: anything that is not plainly a name becomes one, with a point, which no plain name has. Upper case
 * is not plain: a file system may not distinguish it. As JSON, halves of characters stay different.
 */
function nameFor(sessionId: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/.test(sessionId)) return sessionId;
  return `id.${createHash("sha256").update(JSON.stringify(sessionId)).digest("hex").slice(0, 32)}`;
}

function temporaryOrNone(folder: string, env: Environment): string {
  try {
    return temporaryFor(folder, "tenterhook-session-", env);
  } catch {
    return "";
  }
}

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

/** Indentation may make an event many times as long; a longer one than this has one line for each of its own fields. */
const LONGEST_INDENTED = 256 * 1024;

interface StdinOptions {
  readonly workDir: string;
  readonly outcome?: Outcome | undefined;
  /** What the call does, for hooks that ask for it. */
  readonly effects?: readonly CommandEffect[] | undefined;
}

/**
 * An event as a script reads it on its standard input: JSON with one field a line, so that grep and cut find things in
 * it, the fields that every event has first, and `context` last. Throws `json_limit` for an event beyond the limits.
 */
export function stdinEvent<E extends EventName>(
  event: E,
  payload: Payload<E>,
  { workDir, outcome, effects }: StdinOptions,
): string {
  const { event_type, timestamp, session_id, work_dir, context, ...rest } = toWire(event, payload);
  const complete = {
    event_type,
    timestamp: timestamp ?? new Date().toISOString(),
    session_id: session_id ?? "",
    work_dir: work_dir ?? workDir,
    ...rest,
    // Only for hooks with `always`.
    ...(outcome !== undefined && { outcome: outcome.type, reason: reasonOf(outcome) }),
    ...(effects !== undefined && { effects: writtenEffects(effects) }),
    context: context ?? {},
  };
  const bytes = checkJson(complete, "the event", JSON_DOCUMENT_LIMITS);
  checkNumbers((complete as { readonly tool_input?: unknown }).tool_input);
  if (bytes <= LONGEST_INDENTED) return `${JSON.stringify(complete, undefined, 2)}\n`;
  const fields = Object.entries(complete)
    .map(([name, value]) => [JSON.stringify(name), JSON.stringify(value)])
    .filter(([, json]) => json !== undefined);
  return `{\n${fields.map((field) => `  ${field.join(": ")}`).join(",\n")}\n}\n`;
}

/** A script need not read more of a line that does so much. */
const MAX_EFFECTS = 100;

/** Effects that are left out are one that cannot be read, so that a script that looks for that notices. */
function writtenEffects(effects: readonly CommandEffect[]): readonly object[] {
  const more = effects.length - MAX_EFFECTS;
  if (more <= 0) return effects.map(writtenEffect);
  const rest = { effect: "unreadable", targets: [], command: "", where: "here", elevated: false };
  const reason = `${more + 1} more effects are left out`;
  return [...effects.slice(0, MAX_EFFECTS - 1).map(writtenEffect), { ...rest, reason }];
}

/** An effect as scripts and the command's JSON have it. */
export function writtenEffect({ name, targets, command, where, isElevated, reason }: CommandEffect): object {
  const written = targets.map((target) =>
    target.type === "path"
      ? { path: target.path, resolved: target.resolved, known: target.known }
      : { [target.type]: target.name, known: target.known },
  );
  return {
    effect: name,
    targets: written,
    command,
    where,
    elevated: isElevated,
    ...(reason !== undefined && { reason }),
  };
}

/** A number that is too large for a double would be written as `null`, and a guard would check that. */
function checkNumbers(input: unknown): void {
  const found = findInexactNumber(input, INFINITE);
  if (found === undefined) return;
  throw new TenterhookError(
    "json_limit",
    `tool_input${found.path} is a number beyond the largest that JSON can be written with here.`,
  );
}

const INFINITE = new Map([
  [Number.POSITIVE_INFINITY, "Infinity"],
  [Number.NEGATIVE_INFINITY, "-Infinity"],
]);

export type CommandEffect = MatchedEffect["effect"];

/** What a call does, for a hook whose script reads that: its matcher is about effects, or its metadata asks for them. */
async function effectsFor(
  hook: HookFile,
  context: Context<EventName> | undefined,
): Promise<readonly CommandEffect[] | undefined> {
  if (context === undefined || !eventRow(context.event).tool) return undefined;
  const isAbout = listMatchers(hook)?.some(({ effect }) => effect !== undefined) === true;
  if (!isAbout && hook.metadata.effects !== true) return undefined;
  await loadEffects();
  return effectsOfCall(context, context.payload).effects;
}
