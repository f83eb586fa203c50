import type { ProcessOptions } from "@tenterhook/engine/process";
import type { EventName, HookFile, Outcome, Payload } from "@tenterhook/protocol";
import { block, eventRow, messageOf, TenterhookError } from "@tenterhook/protocol";
import { isFolder } from "../discover/locations.ts";
import type { Decision } from "./decision.ts";
import { findEntryPoint } from "./entry-point.ts";
import { allowedNames, environmentFor } from "./environment.ts";
import { runHookProcess } from "./hook-process.ts";
import { reportOutput } from "./report-output.ts";
import { sessionFolder } from "./session-folder.ts";
import { stdinEvent } from "./stdin-event.ts";
import { verdict } from "./verdict.ts";

/** Where a hook runs. */
export interface RunPlace {
  /** The hook's folder. */
  readonly folder: string;
  /** The project's root, or the working directory where there is none. */
  readonly projectDir: string;
  /** The state folder of Tenterhook. */
  readonly state: string;
}

export interface RunOptions extends Pick<ProcessOptions, "onAbort"> {
  /** How the sync hooks ended, for hooks that are told. */
  readonly outcome?: Outcome | undefined;
  /** Given all that an async hook printed: its output decides nothing, and is kept for the log. */
  readonly onOutput?: (text: string) => void;
}

/** Asks a hook's script about an event. What goes wrong is thrown as a failure. */
export async function runHook<E extends EventName>(
  hook: HookFile,
  event: E,
  payload: Payload<E>,
  place: RunPlace,
  { onAbort, outcome, onOutput }: RunOptions = {},
): Promise<Decision> {
  if (hook.action !== undefined) return { outcome: hook.action };
  const entry = findEntryPoint(place.folder);
  if (typeof entry === "string")
    throw new TenterhookError("hook_not_started", `it could not be started: ${entry}.`);
  const { sessionId = "", workDir } = payload as { sessionId?: string; workDir?: string };
  const cwd = workDir ?? place.projectDir;
  if (!isFolder(cwd))
    throw new TenterhookError("hook_not_started", `its working directory ${cwd} does not exist.`);
  const env = environmentFor(
    {
      hookDir: place.folder,
      projectDir: place.projectDir,
      sessionId,
      event,
      stateDir: sessionFolder(place.state, sessionId),
    },
    allowedNames(hook.metadata),
  );
  let input: string;
  try {
    input = stdinEvent(event, payload, { workDir: cwd, outcome, now: new Date() });
  } catch (error) {
    return unreadable(hook, event, error);
  }
  const exit = await runHookProcess(entry.command, entry.args, {
    cwd,
    env,
    input,
    timeoutMs: hook.timeoutMs,
    ...(onAbort !== undefined && { onAbort }),
  });
  if (hook.mode === "background") reportOutput(exit, onOutput);
  return verdict(event, exit, hook.timeoutMs);
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
