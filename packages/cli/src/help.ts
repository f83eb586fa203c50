import { bold, table } from "./terminal.ts";
import { EVERYWHERE } from "./usage.ts";
import type { Verb } from "./verb.ts";
import { VERBS } from "./verbs.ts";

/** What `tenterhook` alone prints. */
export function overview(): string {
  const verbs = Object.entries(VERBS).map(([name, { summary }]) => [`  ${name}`, summary]);
  return [
    "Hooks for AI agents: rules, quality gates and observers in HOOK.md folders.",
    "",
    `${bold("Usage:")} tenterhook VERB [options]`,
    "",
    table(verbs),
    "",
    "Every verb has --help, with an example, and --json. tenterhook --version tells the version.",
    "A first hook: tenterhook init no-force-push --trigger before_tool --tool Shell --pattern 'push --force'",
  ].join("\n");
}

/** What `tenterhook VERB --help` prints. */
export function helpFor({ usage, about, options, examples }: Verb): string {
  const described = Object.entries({ ...options, ...EVERYWHERE }).map(([name, option]) => [
    `  --${name}${option.type === "string" ? ` ${option.value ?? "VALUE"}` : ""}`,
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
