import { bold, table } from "./terminal.ts";
import { EVERYWHERE } from "./usage.ts";
import type { Verb } from "./verb.ts";
import { GROUPS, VERBS } from "./verbs.ts";

/** What `tenterhook` alone prints. */
export function overview(): string {
  const width = Math.max(...Object.keys(VERBS).map((name) => name.length));
  const groups = GROUPS.map(({ title, verbs }) =>
    [bold(title), ...verbs.map((name) => `  ${name.padEnd(width)}  ${VERBS[name]?.summary}`)].join("\n"),
  );
  return [
    "Hooks for AI agents: rules, quality gates and observers, wherever the agent runs.",
    "",
    `${bold("Usage:")} tenterhook VERB [options]`,
    "",
    groups.join("\n\n"),
    "",
    "Every verb has --help, with an example, and --json. tenterhook --version tells the version.",
    "A first hook: tenterhook init no-force-push --trigger before_tool --tool Shell --pattern 'push --force'",
    "A first look at the rest: tenterhook up",
  ].join("\n");
}

/** What `tenterhook VERB --help` prints. */
export function helpFor({ usage, about, options, examples }: Verb): string {
  const described = Object.entries({ ...options, ...EVERYWHERE }).map(([name, option]) => [
    `  --${name}${option.type !== "boolean" ? ` ${option.value ?? "VALUE"}` : ""}`,
    option.about,
  ]);
  const [first, ...rest] = examples.map(({ command, means }) => `  ${command}\n      ${means}`);
  return [
    `${bold("Usage:")} tenterhook ${usage}`,
    "",
    about,
    "",
    table(described),
    "",
    `${bold(rest.length === 0 ? "Example:" : "Examples:")}\n${[first, ...rest].join("\n")}`,
  ].join("\n");
}
