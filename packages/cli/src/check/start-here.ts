import {
  type EntryPoint,
  findLocations,
  type NoStart,
  namedInterpreter,
  projectOfHook,
  type Start,
  startWith,
  surroundingsOf,
} from "@tenterhook/file-hooks";
import type { HookFile } from "@tenterhook/protocol";

/** How a hook's script would be started for this folder and for the hook's own project. */
export function startHere(
  entry: EntryPoint,
  folder: string,
  hook: Pick<HookFile, "metadata">,
): Start | NoStart {
  const { cwd, project = cwd } = findLocations(process.cwd());
  const around = surroundingsOf([project, cwd, projectOfHook(folder) ?? project]);
  return startWith(entry, namedInterpreter(hook, folder), around);
}
