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
import { type Switch, setSwitch } from "./hooks-toml.ts";
import { installedHooks } from "./installed-hooks.ts";
import { findNamedHook } from "./named-hook.ts";

const STATUS: Readonly<Record<Switch, { readonly on: string; readonly off: string }>> = {
  enabled: { on: "enabled", off: "disabled" },
  enforce: { on: "enforced", off: "not enforced" },
};

/** Sets a switch of a hook in the user's hooks.toml, where it counts for hooks of projects too. */
export async function switchHook(
  given: string,
  key: Switch,
  value: boolean,
  json: boolean,
): Promise<ExitCode> {
  await requirePerson("which guards apply");
  const source = await installedHooks();
  const { state, userHooks } = source.locations;
  const { name, goneAt, isEnforced } = await findName(given, source);
  makeWritableFolder(state, STATE_FOLDER);
  const file = join(userHooks, "hooks.toml");
  const isSet = key === "enforce" && value && isEnforced;
  const isChanged = !isSet && setSwitch(file, name, key, value);
  const status = STATUS[key][value ? "on" : "off"];
  const isUnconfirmed = !value && (isChanged || goneAt.length > 0);
  if (isUnconfirmed && !(await forgetKnownGuard(state, userHooks, name)))
    throw new UsageError(
      `${name} is ${status} in ${fullPath(file)} now, but the list of known guards could not be written.`,
      `Make ${formatPath(state)} writable, with space on its disk, then run this again.`,
    );
  if (json) printJson({ name, [key]: value, file, is_changed: isChanged });
  else if (isChanged || isUnconfirmed)
    print(green(`${oneLine(name)} is ${status} in ${oneLine(fullPath(file))}`));
  else print(`${oneLine(name)} was ${status} already.`);
  return EXIT.ok;
}

/** A table of hooks.toml is for all hooks of a name, so it does not matter which of them is meant. */
async function findName(given: string, source: FileHooks) {
  const name = normalName(given);
  const { hooks } = await source.catalogue();
  const named = hooks.filter(({ hook, gone }) => hook.name === name && gone === undefined);
  if (named.length === 0) {
    const found = await findNamedHook(given, source, { user: false, project: false });
    return { ...found, isEnforced: false };
  }
  const goneAt = hooks.flatMap(({ hook, gone }) =>
    gone?.command !== undefined && hook.name === name ? hook.events : [],
  );
  return { name, goneAt, isEnforced: named.every(({ hook }) => hook.enforce !== false) };
}
