import { CLIENTS } from "@tenterhook/bridges/clients";
import { EVENT_NAMES, eventRow } from "@tenterhook/protocol";
import type { ListedCommand } from "../command.ts";
import { GLOBAL_OPTIONS } from "../read-arguments.ts";

/** What can follow a command. */
export interface CommandCompletion {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly { readonly name: string; readonly about: string }[];
  /** The possible first arguments, if they are known. */
  readonly args: readonly string[];
}

const EVENTS = EVENT_NAMES.filter((event) => eventRow(event).layer === "agent");

/** First arguments of commands whose usage does not list them as `a|b|c`. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  clients: Object.keys(CLIENTS),
  doctor: Object.keys(CLIENTS),
  explain: EVENTS,
  install: Object.keys(CLIENTS),
  try: EVENT_NAMES,
  uninstall: Object.keys(CLIENTS),
};

/** The completions of all commands. */
export async function completionsOf(
  commands: Readonly<Record<string, ListedCommand>>,
): Promise<readonly CommandCompletion[]> {
  return Promise.all(
    Object.entries(commands).map(async ([name, { summary, load }]) => {
      const { options, usage } = await load();
      const described = Object.entries({ ...options, ...GLOBAL_OPTIONS });
      return {
        name,
        summary,
        options: described.map(([option, { about }]) => ({ name: option, about })),
        args: ARGUMENTS[name] ?? parseArguments(usage),
      };
    }),
  );
}

/** The choices before each `|` of `runs [list | show ID | stop ID [--reason R]]` and of `completion bash|zsh|fish`. */
function parseArguments(usage: string): readonly string[] {
  const outer = usage.replaceAll(/(?<=\[[^\]]*)\[[^[\]]*\]/g, "");
  const first = /^\S+ (?:\[([a-z][^[\]]*)|([a-z|]+))/.exec(outer);
  const choices = (first?.[1] ?? first?.[2] ?? "")
    .split("|")
    .map((choice) => choice.trim().split(" ")[0] ?? "");
  return choices.length > 1 ? choices.filter((choice) => /^[a-z-]+$/.test(choice)) : [];
}
