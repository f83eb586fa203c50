import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findLocations } from "@tenterhook/file-hooks";
import { defineCommand, EXIT } from "../command.ts";
import { withCanonicalNames } from "../event/tool-alias.ts";
import { formatPath } from "../format-hook.ts";
import { exampleCases } from "../init/example-cases.ts";
import { hookMd } from "../init/hook-md.ts";
import { LANGUAGES, planHook } from "../init/hook-plan.ts";
import { SCRIPT_NAMES, scriptFor } from "../init/scripts.ts";
import { bold, notify, print, printJson } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { makeWritableFolder } from "../writable-folder.ts";

export const init = defineCommand({
  usage: "init [NAME] --trigger EVENT [--tool T] [--pattern P] [--lang sh|py|js] [--user]",
  about:
    "Writes a working hook: a HOOK.md, a script with a rule to replace, and passing tests. It is written to the project's\n" +
    ".agents/hooks, or with --user to your own hooks. Nothing is overwritten.",
  options: {
    trigger: { type: "string", value: "EVENT", about: "when it is called, for example before_tool" },
    tool: {
      type: "string",
      value: "T",
      about: "at tool events: only tools whose name matches (a regular expression)",
    },
    pattern: {
      type: "string",
      value: "P",
      about: "at tool events: only inputs that match (a regular expression)",
    },
    lang: { type: "string", value: LANGUAGES.join("|"), about: "the script's language (default sh)" },
    user: { type: "boolean", about: "for all your projects, not just this one" },
  },
  arguments: { min: 0, max: 1 },
  examples: [
    {
      command: "tenterhook init no-force-push --trigger before_tool --tool Shell --pattern 'push --force'",
      means: "a guard that refuses some commands",
    },
    {
      command: "tenterhook init done-means-done --trigger before_stop --lang py",
      means: "a gate before the agent stops, in Python",
    },
  ],
  async run({ trigger, tool: named, pattern, lang, user, json }, [name]) {
    const tool = named === undefined ? undefined : await withCanonicalNames(named, notify);
    const plan = planHook({ name, trigger, tool, pattern, lang });
    const { userHooks, project = process.cwd() } = findLocations(process.cwd());
    const folder = join(user ? userHooks : join(project, ".agents", "hooks"), plan.name);
    if (existsSync(folder)) {
      throw new UsageError(
        `${folder} already exists.`,
        "Choose another name, or remove it first; nothing was changed.",
      );
    }
    const files = {
      "HOOK.md": hookMd(plan),
      [join("scripts", SCRIPT_NAMES[plan.language])]: scriptFor(plan),
      [join("tests", "example.yaml")]: exampleCases(plan),
    };
    const labels = {
      what: "the hooks folder",
      remedy: user
        ? "Your own hooks are in ~/.config/agents/hooks; set HOME or XDG_CONFIG_HOME to another folder."
        : "Run it in a writable folder, or use --user for your own hooks.",
      mode: 0o755,
    };
    makeWritableFolder(dirname(folder), labels);
    for (const part of ["scripts", "tests"]) mkdirSync(join(folder, part), { recursive: true });
    for (const [file, text] of Object.entries(files)) {
      writeFileSync(join(folder, file), text, {
        flag: "wx",
        mode: file.startsWith("scripts") ? 0o755 : 0o644,
      });
    }
    const next = nextSteps(formatPath(folder), plan.name, user);
    if (json)
      printJson({
        name: plan.name,
        folder,
        files: Object.keys(files).map((file) => join(folder, file)),
        next,
      });
    else {
      for (const file of Object.keys(files)) print(`wrote ${formatPath(join(folder, file))}`);
      print(`\n${bold("Next:")}\n${next.map((step) => `  ${step}`).join("\n")}`);
    }
    return EXIT.ok;
  },
});

function nextSteps(folder: string, name: string, isUser: boolean): readonly string[] {
  return [
    `tenterhook check ${folder}`,
    `tenterhook test ${folder}`,
    // The user's own hooks need no trust.
    ...(isUser ? [] : [`tenterhook trust ${name}`]),
  ];
}
