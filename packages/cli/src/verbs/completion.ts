import { completionsOf } from "../completion/completions.ts";
import { SHELLS, type Shell, scriptFor } from "../completion/scripts.ts";
import { print } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { defineVerb, EXIT, type ListedVerb, type Verb } from "../verb.ts";

/** The verb that completes all others. */
export function completionOf(verbs: Readonly<Record<string, ListedVerb>>): Verb {
  return defineVerb({
    usage: "completion bash|zsh|fish",
    about:
      "Prints a script with which a shell completes the verbs, options and events of tenterhook. It says in its first lines where\n" +
      "it goes.",
    options: {},
    words: { least: 1, most: 1 },
    examples: [
      { command: "tenterhook completion bash >> ~/.bashrc", means: "once, for bash" },
      { command: "tenterhook completion zsh >> ~/.zshrc", means: "once, for zsh, behind compinit" },
      {
        command: "tenterhook completion fish > ~/.config/fish/completions/tenterhook.fish",
        means: "once, for fish",
      },
    ],
    async run(_values, [shell = ""]) {
      if (!isShell(shell))
        throw new UsageError(`there is no completion for "${shell}".`, `Write ${SHELLS.join(", ")}.`);
      print(scriptFor(shell, await completionsOf(verbs)));
      return EXIT.ok;
    },
  });
}

function isShell(name: string): name is Shell {
  return (SHELLS as readonly string[]).includes(name);
}
