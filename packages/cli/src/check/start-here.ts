import { findLocations } from "@tenterhook/file-hooks";
import {
  type EntryPoint,
  type NoStart,
  namedInterpreter,
  projectOfHook,
  type Start,
  startWith,
  surroundingsOf,
} from "@tenterhook/file-hooks/run";
import type { HookFile } from "@tenterhook/protocol";

/** How a hook's script would be started from a folder (default: the current one), for the hook's own project. */
export function startHere(
  entry: EntryPoint,
  folder: string,
  hook: Pick<HookFile, "metadata">,
  from: string = process.cwd(),
): Start | NoStart {
  const { cwd, project = cwd } = findLocations(from);
  const around = surroundingsOf([project, cwd, projectOfHook(folder) ?? project]);
  return startWith(entry, namedInterpreter(hook, folder), around);
}
