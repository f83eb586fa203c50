import { type Command, defineCommand, EXIT, type ListedCommand } from "../command.ts";
import { completionsOf, SHELLS, type Shell, scriptFor } from "../completion/completions.ts";
import { print } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

/** The command that prints completion scripts for all commands. */
export function completionOf(commands: Readonly<Record<string, ListedCommand>>): Command {
  return defineCommand({
    usage: "completion bash|zsh|fish",
    about:
      "Prints a script that completes the commands, options and events of tenterhook. Its first lines say where to put it.",
    options: {},
    arguments: { min: 1, max: 1 },
    examples: [
      { command: "tenterhook completion bash >> ~/.bashrc", means: "once, for bash" },
      { command: "tenterhook completion zsh >> ~/.zshrc", means: "once, for zsh, after compinit" },
      {
        command: "tenterhook completion fish > ~/.config/fish/completions/tenterhook.fish",
        means: "once, for fish",
      },
    ],
    async run(_values, [shell = ""]) {
      if (!isShell(shell)) throw new UsageError(`unknown shell "${shell}".`, `Known: ${SHELLS.join(", ")}.`);
      print(scriptFor(shell, await completionsOf(commands)));
      return EXIT.ok;
    },
  });
}

function isShell(name: string): name is Shell {
  return (SHELLS as readonly string[]).includes(name);
}
