import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findLocations } from "@tenterhook/file-hooks";
import { typedCommand } from "@tenterhook/internal";
import { defineCommand, EXIT, option } from "../command.ts";
import { withCanonicalNames } from "../event/tool-alias.ts";
import { formatPath } from "../format-hook.ts";
import { askForHook } from "../init/ask-for-hook.ts";
import { exampleCases } from "../init/example-cases.ts";
import { hookMd } from "../init/hook-md.ts";
import { LANGUAGES, planHook } from "../init/hook-plan.ts";
import { SCRIPT_NAMES, scriptFor } from "../init/scripts.ts";
import { bold, dim, notify, print, printJson } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { makeWritableFolder } from "../writable-folder.ts";

export const init = defineCommand({
  usage: "init [NAME] --trigger EVENT [--tool T] [--pattern P [--reason R]] [--lang sh|py|js] [--user]",
  about:
    "Writes a working hook: a HOOK.md and passing tests. With --pattern it refuses what matches, without starting a process;\n" +
    "else, or with --lang, it gets a script with a rule to replace. It is written to the project's .agents/hooks, or with\n" +
    "--user to your own hooks. Nothing is overwritten. On a terminal, without options, it asks for them.",
  options: {
    trigger: option.text("EVENT", "when it is called, for example before_tool"),
    tool: option.text("T", "at tool events: only tools whose name matches (a regular expression)"),
    pattern: option.text("P", "at tool events: only inputs that match (a regular expression)"),
    reason: option.text("R", "with --pattern: what the model and the person read when it refuses"),
    lang: option.text(
      LANGUAGES.join("|"),
      "write a script in this language, which decides (without --pattern: sh)",
    ),
    user: option.flag("for all your projects, not just this one"),
  },
  arguments: { min: 0, max: 1 },
  examples: [
    {
      command:
        "tenterhook init no-force-push --trigger before_tool --tool Shell --pattern 'git push --force'",
      means: "a guard that refuses some commands",
    },
    {
      command: "tenterhook init done-means-done --trigger before_stop --lang py",
      means: "a gate before the agent stops, in Python",
    },
  ],
  async run({ json, ...given }, [named]) {
    const options = [given.trigger, given.tool, given.pattern, given.reason, given.lang];
    const isBare = options.every((option) => option === undefined);
    const isAsking = isBare && process.stdin.isTTY && process.stdout.isTTY && !json;
    const hook = isAsking ? await askForHook(named, given) : { name: named, ...given };
    const { name, trigger, tool: written, pattern, reason, lang, user } = hook;
    const tool = written === undefined ? undefined : await withCanonicalNames(written, notify);
    const plan = planHook({ name, trigger, tool, pattern, reason, lang });
    const { userHooks, project = process.cwd() } = findLocations(process.cwd());
    const folder = join(user ? userHooks : join(project, ".agents", "hooks"), plan.name);
    if (existsSync(folder)) {
      throw new UsageError(
        `${folder} already exists.`,
        "Choose another name, or remove it first; nothing was changed.",
      );
    }
    const { language } = plan;
    const files: Readonly<Record<string, string>> = {
      "HOOK.md": hookMd(plan),
      ...(language !== undefined && { [join("scripts", SCRIPT_NAMES[language])]: scriptFor(plan, language) }),
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
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text, {
        flag: "wx",
        mode: file.startsWith("scripts") ? 0o755 : 0o644,
      });
    }
    const next = nextSteps(plan.name, user);
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
      if (language === undefined)
        print(
          `\n${dim("The pattern alone decides. To decide in a script, use init with --lang sh, py or js.")}`,
        );
    }
    return EXIT.ok;
  },
});

function nextSteps(name: string, isUser: boolean): readonly string[] {
  return [
    `${typedCommand()} check ${name}`,
    `${typedCommand()} test ${name}`,
    // The user's own hooks need no trust.
    ...(isUser ? [] : [`${typedCommand()} trust ${name}`]),
  ];
}
