import type { ProcessOptions } from "@tenterhook/engine/process";
import type { EventName, HookFile, Outcome, Payload } from "@tenterhook/protocol";
import { block, eventRow, messageOf, TenterhookError } from "@tenterhook/protocol";
import { isFolder } from "../discover/locations.ts";
import type { Decision } from "./decision.ts";
import { allowedNames, environmentFor } from "./environment.ts";
import { type HookExit, runHookProcess } from "./hook-process.ts";
import { reportOutput } from "./report-output.ts";
import { type Start, startOf } from "./script-start.ts";
import { sessionFolder } from "./session-folder.ts";
import { stdinEvent } from "./stdin-event.ts";
import { surroundingsOf } from "./surroundings.ts";
import { verdict } from "./verdict.ts";

/** Where a hook runs. */
export interface RunPlace {
  /** The hook's folder. */
  readonly folder: string;
  /** The private copy of a trusted hook's folder: what was trusted, and what is run. */
  readonly copy?: string;
  /** The project's root, or the working directory where there is none. */
  readonly projectDir: string;
  /** Further projects that concern this hook. */
  readonly projects?: readonly string[];
  /** The state folder of Tenterhook. */
  readonly state: string;
}

export interface RunOptions extends Pick<ProcessOptions, "onAbort"> {
  /** How the sync hooks ended, for hooks that are told. */
  readonly outcome?: Outcome | undefined;
  /** Given all that an async hook printed: its output decides nothing, and is kept for the log. */
  readonly onOutput?: (text: string) => void;
}

/**
 * Asks a hook's script about an event. What goes wrong is thrown as a failure; `hook_tampered` when what lies around the
 * hook keeps it from running as its author, or the person who trusted it, meant it to.
 */
export async function runHook<E extends EventName>(
  hook: HookFile,
  event: E,
  payload: Payload<E>,
  place: RunPlace,
  { onAbort, outcome, onOutput }: RunOptions = {},
): Promise<Decision> {
  if (hook.action !== undefined) return { outcome: hook.action };
  const { sessionId = "", workDir } = payload as { sessionId?: string; workDir?: string };
  const around = surroundingsOf([
    place.projectDir,
    ...(place.projects ?? []),
    ...(workDir === undefined || workDir === place.projectDir ? [] : [workDir]),
  ]);
  const { folder, start } = startOf(hook, place, around);
  const { cwd, fallback } = workingFolders(workDir, place, folder);
  const env = environmentFor(
    {
      hookDir: folder,
      projectDir: place.projectDir,
      sessionId,
      event,
      stateDir: sessionFolder(place.state, sessionId),
    },
    allowedNames(hook.metadata),
    around,
  );
  // The copy must stay what it is.
  if (folder !== place.folder) env.PYTHONDONTWRITEBYTECODE = "1";
  let input: string;
  try {
    input = stdinEvent(event, payload, { workDir: workDir ?? place.projectDir, outcome, now: new Date() });
  } catch (error) {
    return unreadable(hook, event, error);
  }
  const run = (folderToRunIn: string) =>
    runHookProcess(start.command, start.args, {
      cwd: folderToRunIn,
      env,
      input,
      timeoutMs: hook.timeoutMs,
      ...(onAbort !== undefined && { onAbort }),
    });
  const first = await run(cwd);
  // The working directory may be gone by now; that must not keep a guard from being asked.
  const exit = first.startError !== undefined && cwd !== fallback ? await run(fallback) : first;
  if (place.copy !== undefined) requireStarted(exit, start);
  if (hook.mode === "background") reportOutput(exit, onOutput);
  return verdict(event, exit, hook.timeoutMs);
}

/** Where a hook runs: in the event's working directory or, when that does not exist, in the project or its own folder. */
function workingFolders(workDir: string | undefined, { projectDir }: RunPlace, folder: string) {
  const fallback = isFolder(projectDir) ? projectDir : folder;
  return { cwd: workDir !== undefined && isFolder(workDir) ? workDir : fallback, fallback: folder };
}

/** A trusted hook could be started when it was trusted, so what keeps it from that lies around it. */
function requireStarted({ startError }: HookExit, { script }: Start): void {
  if (startError === undefined) return;
  throw new TenterhookError("hook_tampered", `it could not be started: ${script}: ${startError.message}.`);
}

/**
 * An event that cannot be written for the script, because it is too deep or too long: no failure of the hook, whose `onError`
 * would let through what it was not shown. What can be refused is refused; a hook that only watches has lost an event, which
 * is thrown, and so reported.
 */
function unreadable(hook: HookFile, event: EventName, error: unknown): Decision {
  const what = `the hook "${hook.name}" could not be shown the event: ${messageOf(error)}`;
  const canRefuse = hook.mode === "sync" && eventRow(event).block.action !== "record";
  if (canRefuse) return { outcome: block(what) };
  throw new TenterhookError("json_limit", what, { cause: error });
}
