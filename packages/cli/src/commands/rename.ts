import { existsSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { hookFileIn } from "@tenterhook/file-hooks/discover";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import { typedCommand } from "@tenterhook/internal";
import { defineCommand, EXIT, option } from "../command.ts";
import { formatPath, fullPath } from "../format-hook.ts";
import { findOneHook, forgetGuard } from "../manage/edit-hook.ts";
import { renamedIn, replaceText } from "../manage/hooks-toml.ts";
import { newHookName } from "../new-hook-name.ts";
import { green, oneLine, print, printJson } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

export const rename = defineCommand({
  usage: "rename NAME|PATH NEW-NAME [--user | --project]",
  about:
    "Renames a hook: its folder, the name in its HOOK.md and its settings in your hooks.toml. Coding agents are refused what a guard of yours\n" +
    "checked if it gets another name in any other way. A project's hook must be trusted again. Works only on a terminal, not inside an agent.",
  options: {
    user: option.flag("your own hook, where a project's has the same name"),
    project: option.flag("the project's hook, where your own has the same name"),
  },
  arguments: { min: 2, max: 2 },
  examples: [{ command: "tenterhook rename no-force-push no-push", means: "give a hook another name" }],
  async run({ user, project, json }, [given = "", typed = ""]) {
    const { source, hook } = await findOneHook(given, { user, project });
    const name = newHookName(typed);
    const target = join(dirname(hook.folder), name);
    if (existsSync(target) && target !== hook.folder)
      throw new UsageError(
        `${fullPath(target)} already exists.`,
        "Choose another name; nothing was changed.",
      );
    const file = hookFileIn(hook.folder);
    const toml = join(source.locations.userHooks, "hooks.toml");
    const overrides = renamedIn(toml, hook.name, name);
    writeName(file, name);
    renameSync(hook.folder, target);
    if (overrides !== undefined) replaceText(toml, overrides);
    await forgetGuard(hook, source);
    const next = hook.scope === "project" ? [`${typedCommand()} trust ${name}`] : [];
    if (json) printJson({ from: hook.name, to: name, scope: hook.scope, folder: target, next });
    else {
      print(green(`${oneLine(hook.name)} is ${name} now: ${oneLine(fullPath(target))}`));
      for (const step of next) print(`Next: ${step}`);
    }
    return EXIT.ok;
  },
});

/** Writes another name into a HOOK.md. Throws a `UsageError`, and changes nothing, where that is not possible. */
function writeName(file: string, name: string): void {
  if (readHookFile(file).hook === undefined)
    throw new UsageError(
      `${formatPath(file)} cannot be used, so the hook cannot be renamed.`,
      `Run ${typedCommand()} check for what is wrong with it.`,
    );
  const text = readFileSync(file, "utf8");
  replaceText(
    file,
    text.replace(/^name[ \t]*:.*$/m, () => `name: ${name}`),
  );
  if (readHookFile(file).hook?.name === name) return;
  replaceText(file, text);
  throw new UsageError(
    `the name in ${formatPath(file)} cannot be edited here.`,
    "Write it on one line, such as name: my-hook, then run this again.",
  );
}
