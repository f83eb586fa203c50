import { type CataloguedHook, findLocations } from "@tenterhook/file-hooks";
import {
  allowedNames,
  environmentFor,
  type HookEnvironment,
  projectOfHook,
  surroundingsOf,
} from "@tenterhook/file-hooks/run";
import type { EventName } from "@tenterhook/protocol";

/** What the process of a hook would get of this process's environment, if it ran for a folder. */
export function environmentHere(
  { hook, folder }: Pick<CataloguedHook, "hook" | "folder">,
  event: EventName,
  from: string,
): HookEnvironment {
  const { cwd, project = cwd, home, state } = findLocations(from);
  const around = surroundingsOf([project, cwd, projectOfHook(folder) ?? project]);
  const location = { hookDir: folder, projectDir: project, sessionId: "", event, stateDir: state, home };
  return environmentFor(location, allowedNames(hook.metadata), around);
}
