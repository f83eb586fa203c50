import { CLIENTS } from "@tenterhook/bridges/clients";
import { EVENT_NAMES, eventRow } from "@tenterhook/protocol";
import type { ListedCommand } from "../command.ts";
import { GLOBAL_OPTIONS } from "../read-arguments.ts";

/** What can follow a command. */
interface CommandCompletion {
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

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** The completion script of a shell. */
export function scriptFor(shell: Shell, commands: readonly CommandCompletion[]): string {
  return SCRIPTS[shell](commands);
}

const SCRIPTS: Readonly<Record<Shell, (commands: readonly CommandCompletion[]) => string>> = {
  bash,
  zsh,
  fish,
};

const GLOBAL = ["--help", "--version"];

function bash(commands: readonly CommandCompletion[]): string {
  const cases = commands.map(({ name, args, options }) => {
    const flags = options.map((option) => `--${option.name}`);
    return `    ${name}) args="${args.join(" ")}" options="${flags.join(" ")}" ;;`;
  });
  return `# Completion of tenterhook for bash. In ~/.bashrc: eval "$(tenterhook completion bash)"
_tenterhook() {
  local current="\${COMP_WORDS[COMP_CWORD]}" args="" options=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${[...commands.map(({ name }) => name), ...GLOBAL].join(" ")}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *) [ "$COMP_CWORD" -eq 2 ] && COMPREPLY=($(compgen -W "$args" -- "$current")) ;;
  esac
}
# Otherwise, complete files.
complete -o default -F _tenterhook tenterhook`;
}

function zsh(commands: readonly CommandCompletion[]): string {
  const described = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  const cases = commands.map(({ name, args, options }) => {
    const flags = options.map((option) =>
      quoted(`--${option.name}[${option.about.replaceAll(/[[\]]/g, "")}]`),
    );
    const first = args.length === 0 ? "'*:file:_files'" : quoted(`2:argument:(${args.join(" ")})`);
    return `    ${name}) _arguments ${[...flags, first].join(" ")} ;;`;
  });
  return `#compdef tenterhook
# Completion of tenterhook for zsh. In ~/.zshrc, after compinit: eval "$(tenterhook completion zsh)"
_tenterhook() {
  local -a commands
  commands=(
${described.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "\${words[2]}" in
${cases.join("\n")}
  esac
}
compdef _tenterhook tenterhook`;
}

function fish(commands: readonly CommandCompletion[]): string {
  const lines = commands.flatMap(({ name, summary, args, options }) => {
    const used = `-n "__fish_seen_subcommand_from ${name}"`;
    return [
      `complete -c tenterhook -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
      ...(args.length === 0 ? [] : [`complete -c tenterhook ${used} -f -a ${quoted(args.join(" "))}`]),
      ...options.map(
        (option) => `complete -c tenterhook ${used} -l ${option.name} -d ${quoted(option.about)}`,
      ),
    ];
  });
  return [
    "# Completion of tenterhook for fish: put it into ~/.config/fish/completions/tenterhook.fish",
    ...lines,
  ].join("\n");
}

/** In single quotes, as all three shells read them. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "’")}'`;
}
