import type { CommandCompletion } from "./completions.ts";

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
