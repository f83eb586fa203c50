import { typedCommand } from "@tenterhook/internal";
import type { Command } from "./command.ts";
import { COMMANDS, GROUPS } from "./commands.ts";
import { GLOBAL_OPTIONS } from "./read-arguments.ts";
import { bold, table } from "./terminal.ts";

/** What `tenterhook` alone prints. */
export function overview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const groups = GROUPS.map(({ title, commands }) =>
    [bold(title), ...commands.map((name) => `  ${name.padEnd(width)}  ${COMMANDS[name]?.summary}`)].join(
      "\n",
    ),
  );
  return asTyped(
    [
      "Hooks for AI agents: rules, quality gates and observers, wherever the agent runs.",
      "",
      `${bold("Usage:")} tenterhook COMMAND [options]`,
      "",
      groups.join("\n\n"),
      "",
      "Every command has --help, with an example, and --json. tenterhook --version prints the version.",
      "A first hook: tenterhook init no-force-push --trigger before_tool --tool Shell --pattern 'git push --force'",
      "To see one refuse: tenterhook demo. To try the rest: tenterhook up",
    ].join("\n"),
  );
}

/** What `tenterhook COMMAND --help` prints. */
export function helpFor({ usage, about, options, examples }: Command): string {
  const described = Object.entries({ ...options, ...GLOBAL_OPTIONS }).map(([name, option]) => [
    `  --${name}${option.type !== "boolean" ? ` ${option.value ?? "VALUE"}` : ""}`,
    option.about,
  ]);
  const [first, ...rest] = examples.map(({ command, means }) => `  ${command}\n      ${means}`);
  return asTyped(
    [
      `${bold("Usage:")} tenterhook ${usage}`,
      "",
      about,
      "",
      table(described),
      "",
      `${bold(rest.length === 0 ? "Example:" : "Examples:")}\n${[first, ...rest].join("\n")}`,
    ].join("\n"),
  );
}

/** A text of help with its commands as the user types them. */
function asTyped(text: string): string {
  return text.replaceAll(COMMAND_IN_HELP, () => `${typedCommand()} `);
}

const COMMAND_IN_HELP = new RegExp(
  `\\btenterhook (?=(?:${Object.keys(COMMANDS).join("|")}|COMMAND|--version)\\b)`,
  "g",
);
