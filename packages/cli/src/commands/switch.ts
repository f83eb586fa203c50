import { join } from "node:path";
import { forgetKnownGuard } from "@tenterhook/file-hooks/discover";
import { defineCommand, EXIT, type ExitCode, option } from "../command.ts";
import { formatPath, fullPath } from "../format-hook.ts";
import { findHooks } from "../manage/edit-hook.ts";
import { type Switch, setSwitch } from "../manage/hooks-toml.ts";
import { green, oneLine, print, printJson } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

export const enable = defineCommand({
  usage: "enable NAME|PATH",
  about: "Enables a disabled hook in your own hooks.toml. Works only on a terminal, not inside an agent.",
  options: {},
  arguments: { min: 1, max: 1 },
  examples: [
    { command: "tenterhook enable no-force-push", means: "after: tenterhook disable no-force-push" },
  ],
  run({ json }, [given = ""]) {
    return switchHook(given, "enabled", true, json);
  },
});

export const disable = defineCommand({
  usage: "disable NAME|PATH",
  about:
    "Disables a hook in your own hooks.toml, also one of a project, and confirms it: coding agents are refused what a guard of yours checked\n" +
    "if that file disables it in any other way. Works only on a terminal, not inside an agent.",
  options: {},
  arguments: { min: 1, max: 1 },
  examples: [
    { command: "tenterhook disable no-force-push", means: "until: tenterhook enable no-force-push" },
  ],
  run({ json }, [given = ""]) {
    return switchHook(given, "enabled", false, json);
  },
});

export const enforce = defineCommand({
  usage: "enforce NAME|PATH [--off]",
  about:
    "Enforces a hook that has enforce: false, also one of a project: from now on it blocks, changes and asks. With --off it is called and what it\n" +
    "would have done is recorded, and changes nothing. Written to your own hooks.toml. Works only on a terminal, not inside an agent.",
  options: {
    off: option.flag("record what the hook would have done, and let it change nothing"),
  },
  arguments: { min: 1, max: 1 },
  examples: [
    { command: "tenterhook enforce no-force-push", means: "it has been tried long enough" },
    { command: "tenterhook enforce no-force-push --off", means: "try it on what really happens first" },
  ],
  run({ json, off }, [given = ""]) {
    return switchHook(given, "enforce", !off, json);
  },
});

const STATUS: Readonly<Record<Switch, { readonly on: string; readonly off: string }>> = {
  enabled: { on: "enabled", off: "disabled" },
  enforce: { on: "enforced", off: "not enforced" },
};

/**
 * Sets a switch of a hook in the user's hooks.toml, where it counts for hooks of projects too. A table of that file is for all hooks of a
 * name, so it does not matter which of them is meant.
 */
async function switchHook(given: string, key: Switch, value: boolean, json: boolean): Promise<ExitCode> {
  const { source, hooks } = await findHooks(given);
  const { state, userHooks } = source.locations;
  const { name = "" } = hooks[0] ?? {};
  const file = join(userHooks, "hooks.toml");
  const isSet = key === "enforce" && value && hooks.every(({ isEnforced }) => isEnforced);
  const isChanged = !isSet && setSwitch(file, name, key, value);
  const status = STATUS[key][value ? "on" : "off"];
  const isUnconfirmed = !value && (isChanged || hooks.some(({ goneAt }) => goneAt.length > 0));
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
