import { join } from "node:path";
import { forgetKnownGuard } from "@tenterhook/bridges/install";
import type { FileHooks } from "@tenterhook/file-hooks";
import { normalName } from "@tenterhook/protocol/internal";
import { EXIT, type ExitCode } from "../command.ts";
import { formatPath, fullPath } from "../format-hook.ts";
import { green, oneLine, print, printJson } from "../terminal.ts";
import { requirePerson } from "../trust/require-person.ts";
import { UsageError } from "../usage-error.ts";
import { makeWritableFolder, STATE_FOLDER } from "../writable-folder.ts";
import { setEnabled } from "./hooks-toml.ts";
import { installedHooks } from "./installed-hooks.ts";
import { findNamedHook } from "./named-hook.ts";

/** Enables or disables a hook in the user's hooks.toml, where it counts for hooks of projects too. */
export async function switchHook(given: string, enabled: boolean, json: boolean): Promise<ExitCode> {
  await requirePerson("which guards apply");
  const source = await installedHooks();
  const { state, userHooks } = source.locations;
  const { name, goneAt } = await findName(given, source);
  makeWritableFolder(state, STATE_FOLDER);
  const file = join(userHooks, "hooks.toml");
  const isChanged = setEnabled(file, name, enabled);
  const isUnconfirmed = !enabled && (isChanged || goneAt.length > 0);
  if (isUnconfirmed && !(await forgetKnownGuard(state, userHooks, name)))
    throw new UsageError(
      `${fullPath(file)} disables ${name} now, but the list of known guards could not be written.`,
      `Make ${formatPath(state)} writable, with space on its disk, then run this again.`,
    );
  const status = enabled ? "enabled" : "disabled";
  if (json) printJson({ name, enabled, file, is_changed: isChanged });
  else if (isChanged || isUnconfirmed)
    print(green(`${oneLine(name)} is ${status} in ${oneLine(fullPath(file))}`));
  else print(`${oneLine(name)} was ${status} already.`);
  return EXIT.ok;
}

/** A table of hooks.toml is for all hooks of a name, so it does not matter which of them is meant. */
async function findName(given: string, source: FileHooks) {
  const name = normalName(given);
  const { hooks } = await source.catalogue();
  const named = hooks.find(({ hook, gone }) => hook.name === name && gone === undefined);
  if (named === undefined) return findNamedHook(given, source, { user: false, project: false });
  const goneAt = hooks.flatMap(({ hook, gone }) =>
    gone !== undefined && hook.name === name ? hook.events : [],
  );
  return { name, goneAt };
}
