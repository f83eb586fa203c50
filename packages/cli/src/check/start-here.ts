import { type CataloguedHook, findLocations } from "@tenterhook/file-hooks";
import {
  allowedNames,
  type EntryPoint,
  environmentFor,
  type HookEnvironment,
  type NoStart,
  namedInterpreter,
  projectOfHook,
  type Start,
  startWith,
  surroundingsOf,
} from "@tenterhook/file-hooks/run";
import type { EventName, HookFile } from "@tenterhook/protocol";

/** How a hook's script would be started from a folder (default: the current one), for the hook's own project. */
export function startHere(
  entry: EntryPoint,
  folder: string,
  hook: Pick<HookFile, "metadata">,
  from: string = process.cwd(),
): Start | NoStart {
  return startWith(entry, namedInterpreter(hook, folder), around(folder, from));
}

/** What the process of a hook would get of this process's environment, if it ran for a folder. */
export function environmentHere(
  { hook, folder }: Pick<CataloguedHook, "hook" | "folder">,
  event: EventName,
  from: string,
): HookEnvironment {
  const { cwd, project = cwd, home, state } = findLocations(from);
  const location = { hookDir: folder, projectDir: project, sessionId: "", event, stateDir: state, home };
  return environmentFor(location, allowedNames(hook.metadata), around(folder, from));
}

function around(folder: string, from: string) {
  const { cwd, project = cwd } = findLocations(from);
  return surroundingsOf([project, cwd, projectOfHook(folder) ?? project]);
}
