import { lstatSync, readdirSync, rmSync } from "node:fs";
import { typedCommand } from "@tenterhook/internal";
import { defineCommand, EXIT, type ExitCode, option } from "../command.ts";
import { fullPath } from "../format-hook.ts";
import { type EditedHook, findOneHook, forgetGuard } from "../manage/edit-hook.ts";
import { bold, green, oneLine, print, printJson } from "../terminal.ts";
import { askOnce } from "../trust/questions.ts";
import { UsageError } from "../usage-error.ts";

/** More files are counted, not listed. */
const MAX_FILES = 20;

export const remove = defineCommand({
  usage: "remove NAME|PATH [--user | --project] [--keep-files] [--yes]",
  about:
    "Removes a hook's folder, and confirms that the hook is gone. Coding agents are refused what a guard of yours checked if it disappears\n" +
    "in any other way, until this command confirms it. Of a hook whose folder is gone already, there is nothing left but to confirm that.\n" +
    "Works only on a terminal, not inside an agent.",
  options: {
    user: option.flag("your own hook, where a project's has the same name"),
    project: option.flag("the project's hook, where your own has the same name"),
    "keep-files": option.flag("only confirm that it is no longer a guard"),
    yes: option.flag("do not ask"),
  },
  arguments: { min: 1, max: 1 },
  examples: [
    { command: "tenterhook remove no-force-push", means: "remove a hook, or confirm that it is gone" },
    {
      command: "tenterhook remove no-force-push --keep-files",
      means: "confirm that it no longer guards an event",
    },
  ],
  async run({ user, project, "keep-files": keepFiles, yes, json }, [given = ""]) {
    const { source, hook } = await findOneHook(given, { user, project });
    const isThere = exists(hook.folder);
    if (keepFiles) requireGone(hook, isThere);
    else if (isThere) {
      if (!yes && !(await confirm(hook, json))) return report(hook, "kept", json);
      // A link is removed, not what it leads to.
      rmSync(hook.folder, { recursive: true, force: true });
    }
    await forgetGuard(hook, source);
    return report(hook, isThere && !keepFiles ? "removed" : "confirmed", json);
  },
});

/** A guard that still exists would be known again at the next call. */
function requireGone({ name, folder, goneAt }: EditedHook, isThere: boolean): void {
  if (!isThere || goneAt.length > 0) return;
  throw new UsageError(
    `${name} is in ${fullPath(folder)} as it was, so there is nothing to confirm.`,
    `To switch it off, run: ${typedCommand()} disable ${name}`,
  );
}

function confirm({ name, folder }: EditedHook, json: boolean): Promise<boolean> {
  const output = json ? process.stderr : process.stdout;
  const files = filesIn(folder);
  output.write(`${bold(oneLine(name))} ${oneLine(fullPath(folder))}\n`);
  for (const file of files.slice(0, MAX_FILES)) output.write(`  ${oneLine(file)}\n`);
  if (files.length > MAX_FILES) output.write(`  and ${files.length - MAX_FILES} more\n`);
  return askOnce(output, "Remove this folder?");
}

function filesIn(folder: string): readonly string[] {
  const stats = lstatSync(folder);
  if (stats.isSymbolicLink()) return ["a symbolic link; what it leads to stays"];
  if (!stats.isDirectory()) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function report(
  { name, scope, folder }: EditedHook,
  result: "removed" | "confirmed" | "kept",
  json: boolean,
): ExitCode {
  if (json) printJson({ name, scope, folder, result });
  else if (result === "removed") print(green(`Removed: ${oneLine(fullPath(folder))}`));
  else if (result === "confirmed") print(green(`Confirmed: ${oneLine(name)} is no longer expected.`));
  else print("Nothing was removed.");
  return result === "kept" ? EXIT.wrong : EXIT.ok;
}
