import type { VerbCompletion } from "./completions.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** A script with which a shell completes the command. */
export function scriptFor(shell: Shell, verbs: readonly VerbCompletion[]): string {
  return SCRIPTS[shell](verbs);
}

const SCRIPTS: Readonly<Record<Shell, (verbs: readonly VerbCompletion[]) => string>> = { bash, zsh, fish };

const GLOBAL = ["--help", "--version"];

function bash(verbs: readonly VerbCompletion[]): string {
  const cases = verbs.map(({ name, words, options }) => {
    const flags = options.map((option) => `--${option.name}`);
    return `    ${name}) words="${words.join(" ")}" options="${flags.join(" ")}" ;;`;
  });
  return `# Completion of tenterhook for bash. In ~/.bashrc: eval "$(tenterhook completion bash)"
_tenterhook() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" options=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${[...verbs.map(({ name }) => name), ...GLOBAL].join(" ")}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *) [ "$COMP_CWORD" -eq 2 ] && COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
}
# Where nothing is known, files are completed.
complete -o default -F _tenterhook tenterhook`;
}

function zsh(verbs: readonly VerbCompletion[]): string {
  const described = verbs.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  const cases = verbs.map(({ name, words, options }) => {
    const flags = options.map((option) =>
      quoted(`--${option.name}[${option.about.replaceAll(/[[\]]/g, "")}]`),
    );
    const first = words.length === 0 ? "'*:file:_files'" : quoted(`2:word:(${words.join(" ")})`);
    return `    ${name}) _arguments ${[...flags, first].join(" ")} ;;`;
  });
  return `#compdef tenterhook
# Completion of tenterhook for zsh. In ~/.zshrc, after compinit: eval "$(tenterhook completion zsh)"
_tenterhook() {
  local -a verbs
  verbs=(
${described.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe verb verbs
    return
  fi
  case "\${words[2]}" in
${cases.join("\n")}
  esac
}
compdef _tenterhook tenterhook`;
}

function fish(verbs: readonly VerbCompletion[]): string {
  const lines = verbs.flatMap(({ name, summary, words, options }) => {
    const used = `-n "__fish_seen_subcommand_from ${name}"`;
    return [
      `complete -c tenterhook -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
      ...(words.length === 0 ? [] : [`complete -c tenterhook ${used} -f -a ${quoted(words.join(" "))}`]),
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
